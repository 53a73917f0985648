builtin.module {
  func.func @loss(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x?xi64> {bufferization.writable = false}, %next_ids: tensor<1x?xi64> {bufferization.writable = false}, %0: tensor<f32> {bufferization.writable = true}) -> tensor<f32> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 1 : index
    %2 = tensor.dim %token_ids, %1 : tensor<1x?xi64>
    %3 = arith.constant 0.000000e+00 : f32
    %4 = arith.constant 2 : index
    %5 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %6 = tensor.empty(%2) : tensor<1x?x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x?xi64>) outs(%6 : tensor<1x?x4xf32>) {
    ^bb0(%7: i64, %8: f32):
      %9 = arith.index_cast %7 : i64 to index
      %10 = arith.constant 7 : index
      %11 = arith.minsi %9, %10 : index
      %12 = arith.constant 0 : index
      %13 = arith.maxsi %11, %12 : index
      %14 = linalg.index 2 : index
      %15 = tensor.extract %w_embed[%13, %14] : tensor<8x4xf32>
      linalg.yield %15 : f32
    } -> tensor<1x?x4xf32>
    %16 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %17 = tensor.empty(%2) : tensor<?x4xf32>
    %18 = linalg.fill ins(%3 : f32) outs(%17 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16, %w_wq : tensor<?x4xf32>, tensor<4x4xf32>) outs(%18 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%20: f32, %21: f32, %22: f32):
      %23 = arith.mulf %20, %21 fastmath<reassoc,contract> : f32
      %24 = arith.addf %22, %23 fastmath<reassoc,contract> : f32
      linalg.yield %24 : f32
    } -> tensor<?x4xf32>
    %25 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %26 = tensor.empty(%2) : tensor<?x4xf32>
    %27 = linalg.fill ins(%3 : f32) outs(%26 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25, %w_wk : tensor<?x4xf32>, tensor<4x4xf32>) outs(%27 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%29: f32, %30: f32, %31: f32):
      %32 = arith.mulf %29, %30 fastmath<reassoc,contract> : f32
      %33 = arith.addf %31, %32 fastmath<reassoc,contract> : f32
      linalg.yield %33 : f32
    } -> tensor<?x4xf32>
    %34 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %35 = tensor.empty(%2) : tensor<?x4xf32>
    %36 = linalg.fill ins(%3 : f32) outs(%35 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34, %w_wv : tensor<?x4xf32>, tensor<4x4xf32>) outs(%36 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%38: f32, %39: f32, %40: f32):
      %41 = arith.mulf %38, %39 fastmath<reassoc,contract> : f32
      %42 = arith.addf %40, %41 fastmath<reassoc,contract> : f32
      linalg.yield %42 : f32
    } -> tensor<?x4xf32>
    %43 = tensor.expand_shape %19 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %44 = tensor.empty(%2) : tensor<2x?x2xf32>
    %45 = linalg.transpose ins(%43:tensor<?x2x2xf32>) outs(%44:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %46 = tensor.expand_shape %28 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %47 = tensor.empty(%2) : tensor<2x2x?xf32>
    %48 = linalg.transpose ins(%46:tensor<?x2x2xf32>) outs(%47:tensor<2x2x?xf32>) permutation = [1, 2, 0]
    %49 = tensor.empty(%2, %2) : tensor<2x?x?xf32>
    %50 = linalg.fill ins(%3 : f32) outs(%49 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45, %48 : tensor<2x?x2xf32>, tensor<2x2x?xf32>) outs(%50 : tensor<2x?x?xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNxNx2_f32"} {
    ^bb0(%52: f32, %53: f32, %54: f32):
      %55 = arith.mulf %52, %53 fastmath<reassoc,contract> : f32
      %56 = arith.addf %54, %55 fastmath<reassoc,contract> : f32
      linalg.yield %56 : f32
    } -> tensor<2x?x?xf32>
    %57 = tensor.from_elements %1, %4, %2, %2 : tensor<4xindex>
    %58 = tensor.reshape %51(%57) : (tensor<2x?x?xf32>, tensor<4xindex>) -> tensor<1x2x?x?xf32>
    %59 = tensor.empty(%2, %2) : tensor<1x2x?x?xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x?x?xf32>) outs(%59 : tensor<1x2x?x?xf32>) {
    ^bb0(%60: f32, %61: f32):
      %62 = arith.mulf %60, %w_scale_1 : f32
      linalg.yield %62 : f32
    } -> tensor<1x2x?x?xf32>
    %63 = tensor.empty(%2, %2) : tensor<?x?xi8>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%63 : tensor<?x?xi8>) {
    ^bb0(%65: i8):
      %66 = linalg.index 1 : index
      %67 = arith.index_cast %66 : index to i64
      %68 = linalg.index 0 : index
      %69 = arith.index_cast %68 : index to i64
      %70 = arith.cmpi sle, %67, %69 : i64
      %71 = arith.extui %70 : i1 to i8
      linalg.yield %71 : i8
    } -> tensor<?x?xi8>
    %72 = tensor.empty(%2, %2) : tensor<1x2x?x?xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %scores : tensor<?x?xi8>, tensor<1x2x?x?xf32>) outs(%72 : tensor<1x2x?x?xf32>) {
    ^bb0(%74: i8, %75: f32, %76: f32):
      %77 = arith.constant 0 : i8
      %78 = arith.cmpi ne, %74, %77 : i8
      %79 = arith.constant 0xff800000 : f32
      %80 = arith.select %78, %75, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x?x?xf32>
    %81 = tensor.empty(%2) : tensor<1x2x?xf32>
    %82 = linalg.fill ins(%5 : f32) outs(%81 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<1x2x?x?xf32>) outs(%82 : tensor<1x2x?xf32>) {
    ^bb0(%84: f32, %85: f32):
      %86 = arith.maximumf %85, %84 : f32
      linalg.yield %86 : f32
    } -> tensor<1x2x?xf32>
    %87 = tensor.empty(%2, %2) : tensor<1x2x?x?xf32>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %83 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%87 : tensor<1x2x?x?xf32>) {
    ^bb0(%89: f32, %90: f32, %91: f32):
      %92 = arith.constant 0xff800000 : f32
      %93 = arith.cmpf oeq, %90, %92 : f32
      %94 = arith.constant 0.000000e+00 : f32
      %95 = arith.select %93, %94, %90 : f32
      %96 = arith.subf %89, %95 : f32
      %97 = func.call @kina.exp.f32(%96) : (f32) -> f32
      linalg.yield %97 : f32
    } -> tensor<1x2x?x?xf32>
    %98 = tensor.empty(%2) : tensor<1x2x?xf32>
    %99 = linalg.fill ins(%3 : f32) outs(%98 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<1x2x?x?xf32>) outs(%99 : tensor<1x2x?xf32>) {
    ^bb0(%101: f32, %102: f32):
      %103 = arith.addf %102, %101 fastmath<reassoc> : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x?xf32>
    %104 = tensor.empty(%2, %2) : tensor<1x2x?x?xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %100 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%104 : tensor<1x2x?x?xf32>) {
    ^bb0(%105: f32, %106: f32, %107: f32):
      %108 = arith.constant 0.000000e+00 : f32
      %109 = arith.cmpf oeq, %106, %108 : f32
      %110 = arith.constant 1.000000e+00 : f32
      %111 = arith.select %109, %110, %106 : f32
      %112 = arith.divf %105, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x2x?x?xf32>
    %113 = tensor.from_elements %4, %2, %2 : tensor<3xindex>
    %114 = tensor.reshape %probs(%113) : (tensor<1x2x?x?xf32>, tensor<3xindex>) -> tensor<2x?x?xf32>
    %115 = tensor.expand_shape %37 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%2, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %116 = tensor.empty(%2) : tensor<2x?x2xf32>
    %117 = linalg.transpose ins(%115:tensor<?x2x2xf32>) outs(%116:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %118 = tensor.empty(%2) : tensor<2x?x2xf32>
    %119 = linalg.fill ins(%3 : f32) outs(%118 : tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %120 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%114, %117 : tensor<2x?x?xf32>, tensor<2x?x2xf32>) outs(%119 : tensor<2x?x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNx2xN_f32"} {
    ^bb0(%121: f32, %122: f32, %123: f32):
      %124 = arith.mulf %121, %122 fastmath<reassoc,contract> : f32
      %125 = arith.addf %123, %124 fastmath<reassoc,contract> : f32
      linalg.yield %125 : f32
    } -> tensor<2x?x2xf32>
    %126 = tensor.expand_shape %120 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, %2, 2] : tensor<2x?x2xf32> into tensor<1x2x?x2xf32>
    %127 = tensor.empty(%2) : tensor<1x?x2x2xf32>
    %128 = linalg.transpose ins(%126:tensor<1x2x?x2xf32>) outs(%127:tensor<1x?x2x2xf32>) permutation = [0, 2, 1, 3]
    %129 = tensor.collapse_shape %128 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %130 = tensor.empty(%2) : tensor<?x4xf32>
    %131 = linalg.fill ins(%3 : f32) outs(%130 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%129, %w_wo : tensor<?x4xf32>, tensor<4x4xf32>) outs(%131 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%133: f32, %134: f32, %135: f32):
      %136 = arith.mulf %133, %134 fastmath<reassoc,contract> : f32
      %137 = arith.addf %135, %136 fastmath<reassoc,contract> : f32
      linalg.yield %137 : f32
    } -> tensor<?x4xf32>
    %138 = tensor.expand_shape %132 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %2, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %139 = tensor.empty(%2) : tensor<1x?x4xf32>
    %140 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %138 : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%139 : tensor<1x?x4xf32>) {
    ^bb0(%141: f32, %142: f32, %143: f32):
      %144 = arith.addf %141, %142 : f32
      linalg.yield %144 : f32
    } -> tensor<1x?x4xf32>
    %145 = tensor.collapse_shape %140 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %146 = tensor.empty(%2) : tensor<?x8xf32>
    %147 = linalg.fill ins(%3 : f32) outs(%146 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %148 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145, %w_lm_head : tensor<?x4xf32>, tensor<4x8xf32>) outs(%147 : tensor<?x8xf32>) attrs =  {kina.op = "matmul_nn_Nx8x4_f32"} {
    ^bb0(%149: f32, %150: f32, %151: f32):
      %152 = arith.mulf %149, %150 fastmath<reassoc,contract> : f32
      %153 = arith.addf %151, %152 fastmath<reassoc,contract> : f32
      linalg.yield %153 : f32
    } -> tensor<?x8xf32>
    %logits = tensor.expand_shape %148 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %2, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
    %154 = tensor.empty(%2) : tensor<1x?xf32>
    %155 = linalg.fill ins(%5 : f32) outs(%154 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %156 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits : tensor<1x?x8xf32>) outs(%155 : tensor<1x?xf32>) {
    ^bb0(%157: f32, %158: f32):
      %159 = arith.maximumf %158, %157 : f32
      linalg.yield %159 : f32
    } -> tensor<1x?xf32>
    %160 = tensor.empty(%2) : tensor<1x?x8xf32>
    %shifted = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits, %156 : tensor<1x?x8xf32>, tensor<1x?xf32>) outs(%160 : tensor<1x?x8xf32>) {
    ^bb0(%161: f32, %162: f32, %163: f32):
      %164 = arith.subf %161, %162 : f32
      linalg.yield %164 : f32
    } -> tensor<1x?x8xf32>
    %165 = tensor.empty(%2) : tensor<1x?x8xf32>
    %166 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%shifted : tensor<1x?x8xf32>) outs(%165 : tensor<1x?x8xf32>) {
    ^bb0(%167: f32, %168: f32):
      %169 = func.call @kina.exp.f32(%167) : (f32) -> f32
      linalg.yield %169 : f32
    } -> tensor<1x?x8xf32>
    %170 = tensor.empty(%2) : tensor<1x?xf32>
    %171 = linalg.fill ins(%3 : f32) outs(%170 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %172 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<1x?x8xf32>) outs(%171 : tensor<1x?xf32>) {
    ^bb0(%173: f32, %174: f32):
      %175 = arith.addf %174, %173 fastmath<reassoc> : f32
      linalg.yield %175 : f32
    } -> tensor<1x?xf32>
    %176 = tensor.empty(%2) : tensor<1x?xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%172 : tensor<1x?xf32>) outs(%176 : tensor<1x?xf32>) {
    ^bb0(%177: f32, %178: f32):
      %179 = func.call @kina.log.f32(%177) : (f32) -> f32
      linalg.yield %179 : f32
    } -> tensor<1x?xf32>
    %180 = tensor.empty(%2) : tensor<1x?x8xi8>
    %follows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%next_ids : tensor<1x?xi64>) outs(%180 : tensor<1x?x8xi8>) {
    ^bb0(%181: i64, %182: i8):
      %183 = linalg.index 2 : index
      %184 = arith.index_cast %183 : index to i64
      %185 = arith.cmpi eq, %184, %181 : i64
      %186 = arith.extui %185 : i1 to i8
      linalg.yield %186 : i8
    } -> tensor<1x?x8xi8>
    %187 = tensor.empty(%2) : tensor<1x?x8xf32>
    %188 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%follows, %shifted : tensor<1x?x8xi8>, tensor<1x?x8xf32>) outs(%187 : tensor<1x?x8xf32>) {
    ^bb0(%189: i8, %190: f32, %191: f32):
      %192 = arith.constant 0 : i8
      %193 = arith.cmpi ne, %189, %192 : i8
      %194 = arith.constant 0.000000e+00 : f32
      %195 = arith.select %193, %190, %194 : f32
      linalg.yield %195 : f32
    } -> tensor<1x?x8xf32>
    %196 = tensor.empty(%2) : tensor<1x?xf32>
    %197 = linalg.fill ins(%3 : f32) outs(%196 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %chosen = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%188 : tensor<1x?x8xf32>) outs(%197 : tensor<1x?xf32>) {
    ^bb0(%198: f32, %199: f32):
      %200 = arith.addf %199, %198 fastmath<reassoc> : f32
      linalg.yield %200 : f32
    } -> tensor<1x?xf32>
    %201 = tensor.empty(%2) : tensor<1x?xf32>
    %202 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total, %chosen : tensor<1x?xf32>, tensor<1x?xf32>) outs(%201 : tensor<1x?xf32>) {
    ^bb0(%203: f32, %204: f32, %205: f32):
      %206 = arith.subf %203, %204 : f32
      linalg.yield %206 : f32
    } -> tensor<1x?xf32>
    %207 = tensor.empty() : tensor<f32>
    %208 = linalg.fill ins(%3 : f32) outs(%207 : tensor<f32>) -> tensor<f32>
    %209 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%202 : tensor<1x?xf32>) outs(%208 : tensor<f32>) {
    ^bb0(%210: f32, %211: f32):
      %212 = arith.addf %211, %210 fastmath<reassoc> : f32
      linalg.yield %212 : f32
    } -> tensor<f32>
    %213 = tensor.extract %209[] : tensor<f32>
    %214 = arith.index_cast %2 : index to i64
    %215 = arith.sitofp %214 : i64 to f32
    %216 = arith.divf %213, %215 : f32
    %217 = linalg.fill ins(%216 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    func.return %217 : tensor<f32>
  }
  func.func private @kina.exp.f32(%0: f32) -> f32 {
    %1 = arith.constant -1.040000e+02 : f32
    %2 = arith.cmpf olt, %0, %1 : f32
    %3 = arith.select %2, %1, %0 : f32
    %4 = arith.constant 8.900000e+01 : f32
    %5 = arith.cmpf ogt, %3, %4 : f32
    %6 = arith.select %5, %4, %3 : f32
    %7 = arith.constant 1.44269502 : f32
    %8 = arith.constant 0x4B400000 : f32
    %9 = math.fma %6, %7, %8 : f32
    %10 = arith.subf %9, %8 : f32
    %11 = arith.constant -0.693145752 : f32
    %12 = math.fma %10, %11, %6 : f32
    %13 = arith.constant -1.42860677e-06 : f32
    %14 = math.fma %10, %13, %12 : f32
    %15 = arith.constant 0.00138144754 : f32
    %16 = arith.constant 0.00836878084 : f32
    %17 = math.fma %15, %14, %16 : f32
    %18 = arith.constant 0.0416683927 : f32
    %19 = math.fma %17, %14, %18 : f32
    %20 = arith.constant 0.166665196 : f32
    %21 = math.fma %19, %14, %20 : f32
    %22 = arith.constant 0.49999994 : f32
    %23 = math.fma %21, %14, %22 : f32
    %24 = arith.constant 1.000000e+00 : f32
    %25 = math.fma %23, %14, %24 : f32
    %26 = math.fma %25, %14, %24 : f32
    %27 = arith.bitcast %9 : f32 to i32
    %28 = arith.constant 1262485504 : i32
    %29 = arith.subi %27, %28 : i32
    %30 = arith.constant 1 : i32
    %31 = arith.shrsi %29, %30 : i32
    %32 = arith.constant 127 : i32
    %33 = arith.addi %31, %32 : i32
    %34 = arith.constant 23 : i32
    %35 = arith.shli %33, %34 : i32
    %36 = arith.bitcast %35 : i32 to f32
    %37 = arith.mulf %26, %36 : f32
    %38 = arith.subi %29, %31 : i32
    %39 = arith.addi %38, %32 : i32
    %40 = arith.shli %39, %34 : i32
    %41 = arith.bitcast %40 : i32 to f32
    %42 = arith.mulf %37, %41 : f32
    func.return %42 : f32
  }
  func.func private @kina.log.f32(%0: f32) -> f32 {
    %1 = arith.constant 1.17549435e-38 : f32
    %2 = arith.cmpf olt, %0, %1 : f32
    %3 = arith.constant 0x4B000000 : f32
    %4 = arith.mulf %0, %3 : f32
    %5 = arith.select %2, %4, %0 : f32
    %6 = arith.bitcast %5 : f32 to i32
    %7 = arith.constant 1060439283 : i32
    %8 = arith.subi %6, %7 : i32
    %9 = arith.constant 23 : i32
    %10 = arith.shrsi %8, %9 : i32
    %11 = arith.constant 8388607 : i32
    %12 = arith.andi %8, %11 : i32
    %13 = arith.addi %12, %7 : i32
    %14 = arith.constant 1262485504 : i32
    %15 = arith.addi %10, %14 : i32
    %16 = arith.bitcast %15 : i32 to f32
    %17 = arith.constant 0x4B400000 : f32
    %18 = arith.subf %16, %17 : f32
    %19 = arith.constant 2.300000e+01 : f32
    %20 = arith.constant 0.000000e+00 : f32
    %21 = arith.select %2, %19, %20 : f32
    %22 = arith.subf %18, %21 : f32
    %23 = arith.bitcast %13 : i32 to f32
    %24 = arith.constant 1.000000e+00 : f32
    %25 = arith.subf %23, %24 : f32
    %26 = arith.mulf %25, %25 : f32
    %27 = arith.constant -0.0763452649 : f32
    %28 = arith.constant 0.127619833 : f32
    %29 = math.fma %27, %25, %28 : f32
    %30 = arith.constant -0.131603584 : f32
    %31 = math.fma %29, %25, %30 : f32
    %32 = arith.constant 0.142017156 : f32
    %33 = math.fma %31, %25, %32 : f32
    %34 = arith.constant -0.166233361 : f32
    %35 = math.fma %33, %25, %34 : f32
    %36 = arith.constant 0.200012282 : f32
    %37 = math.fma %35, %25, %36 : f32
    %38 = arith.constant -0.250008225 : f32
    %39 = math.fma %37, %25, %38 : f32
    %40 = arith.constant 0.333333313 : f32
    %41 = math.fma %39, %25, %40 : f32
    %42 = arith.constant -5.000000e-01 : f32
    %43 = math.fma %41, %25, %42 : f32
    %44 = arith.mulf %26, %43 : f32
    %45 = arith.constant 1.42860677e-06 : f32
    %46 = math.fma %22, %45, %44 : f32
    %47 = arith.addf %25, %46 : f32
    %48 = arith.constant 0.693145752 : f32
    %49 = math.fma %22, %48, %47 : f32
    %50 = arith.constant 0x7f800000 : f32
    %51 = arith.cmpf olt, %0, %50 : f32
    %52 = arith.select %51, %49, %0 : f32
    %53 = arith.cmpf oeq, %0, %20 : f32
    %54 = arith.constant 0xff800000 : f32
    %55 = arith.select %53, %54, %52 : f32
    %56 = arith.cmpf olt, %0, %20 : f32
    %57 = arith.constant 0x7fc00000 : f32
    %58 = arith.select %56, %57, %55 : f32
    func.return %58 : f32
  }
}
