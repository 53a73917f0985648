builtin.module {
  func.func @loss_gradient(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x?xi64> {bufferization.writable = false}, %next_ids: tensor<1x?xi64> {bufferization.writable = false}, %0: tensor<f32> {bufferization.writable = true}, %1: tensor<8x4xf32> {bufferization.writable = true}, %2: tensor<4x4xf32> {bufferization.writable = true}, %3: tensor<4x4xf32> {bufferization.writable = true}, %4: tensor<4x4xf32> {bufferization.writable = true}, %5: tensor<4x4xf32> {bufferization.writable = true}, %6: tensor<4x8xf32> {bufferization.writable = true}, %7: tensor<f32> {bufferization.writable = true}) -> (tensor<f32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<f32>) attributes {llvm.emit_c_interface} {
    %8 = arith.constant 1 : index
    %9 = tensor.dim %token_ids, %8 : tensor<1x?xi64>
    %10 = arith.constant 0 : index
    %11 = arith.constant 0.000000e+00 : f32
    %12 = arith.constant 2 : index
    %13 = arith.constant 0xff800000 : f32
    %14 = arith.constant 1.000000e+00 : f32
    %15 = arith.constant 9223372036854775807 : i64
    %16 = arith.constant -1 : index
    %17 = arith.addi %9, %16 : index
    %18 = arith.constant 7 : index
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %19 = tensor.empty(%9) : tensor<1x?x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x?xi64>) outs(%19 : tensor<1x?x4xf32>) {
    ^bb0(%20: i64, %21: f32):
      %22 = arith.index_cast %20 : i64 to index
      %23 = arith.constant 7 : index
      %24 = arith.minsi %22, %23 : index
      %25 = arith.constant 0 : index
      %26 = arith.maxsi %24, %25 : index
      %27 = linalg.index 2 : index
      %28 = tensor.extract %w_embed[%26, %27] : tensor<8x4xf32>
      linalg.yield %28 : f32
    } -> tensor<1x?x4xf32>
    %29 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %30 = tensor.empty(%9) : tensor<?x4xf32>
    %31 = linalg.fill ins(%11 : f32) outs(%30 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29, %w_wq : tensor<?x4xf32>, tensor<4x4xf32>) outs(%31 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%33: f32, %34: f32, %35: f32):
      %36 = arith.mulf %33, %34 fastmath<reassoc,contract> : f32
      %37 = arith.addf %35, %36 fastmath<reassoc,contract> : f32
      linalg.yield %37 : f32
    } -> tensor<?x4xf32>
    %38 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %39 = tensor.empty(%9) : tensor<?x4xf32>
    %40 = linalg.fill ins(%11 : f32) outs(%39 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%38, %w_wk : tensor<?x4xf32>, tensor<4x4xf32>) outs(%40 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%42: f32, %43: f32, %44: f32):
      %45 = arith.mulf %42, %43 fastmath<reassoc,contract> : f32
      %46 = arith.addf %44, %45 fastmath<reassoc,contract> : f32
      linalg.yield %46 : f32
    } -> tensor<?x4xf32>
    %47 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %48 = tensor.empty(%9) : tensor<?x4xf32>
    %49 = linalg.fill ins(%11 : f32) outs(%48 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47, %w_wv : tensor<?x4xf32>, tensor<4x4xf32>) outs(%49 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%51: f32, %52: f32, %53: f32):
      %54 = arith.mulf %51, %52 fastmath<reassoc,contract> : f32
      %55 = arith.addf %53, %54 fastmath<reassoc,contract> : f32
      linalg.yield %55 : f32
    } -> tensor<?x4xf32>
    %56 = tensor.expand_shape %32 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %57 = tensor.empty(%9) : tensor<2x?x2xf32>
    %58 = linalg.transpose ins(%56:tensor<?x2x2xf32>) outs(%57:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %59 = tensor.expand_shape %41 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %60 = tensor.empty(%9) : tensor<2x2x?xf32>
    %61 = linalg.transpose ins(%59:tensor<?x2x2xf32>) outs(%60:tensor<2x2x?xf32>) permutation = [1, 2, 0]
    %62 = tensor.empty(%9, %9) : tensor<2x?x?xf32>
    %63 = linalg.fill ins(%11 : f32) outs(%62 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58, %61 : tensor<2x?x2xf32>, tensor<2x2x?xf32>) outs(%63 : tensor<2x?x?xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNxNx2_f32"} {
    ^bb0(%65: f32, %66: f32, %67: f32):
      %68 = arith.mulf %65, %66 fastmath<reassoc,contract> : f32
      %69 = arith.addf %67, %68 fastmath<reassoc,contract> : f32
      linalg.yield %69 : f32
    } -> tensor<2x?x?xf32>
    %70 = tensor.from_elements %8, %12, %9, %9 : tensor<4xindex>
    %71 = tensor.reshape %64(%70) : (tensor<2x?x?xf32>, tensor<4xindex>) -> tensor<1x2x?x?xf32>
    %72 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x2x?x?xf32>) outs(%72 : tensor<1x2x?x?xf32>) {
    ^bb0(%73: f32, %74: f32):
      %75 = arith.mulf %73, %w_scale_1 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x?x?xf32>
    %76 = tensor.empty(%9, %9) : tensor<?x?xi8>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%76 : tensor<?x?xi8>) {
    ^bb0(%78: i8):
      %79 = linalg.index 1 : index
      %80 = arith.index_cast %79 : index to i64
      %81 = linalg.index 0 : index
      %82 = arith.index_cast %81 : index to i64
      %83 = arith.cmpi sle, %80, %82 : i64
      %84 = arith.extui %83 : i1 to i8
      linalg.yield %84 : i8
    } -> tensor<?x?xi8>
    %85 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %scores : tensor<?x?xi8>, tensor<1x2x?x?xf32>) outs(%85 : tensor<1x2x?x?xf32>) {
    ^bb0(%87: i8, %88: f32, %89: f32):
      %90 = arith.constant 0 : i8
      %91 = arith.cmpi ne, %87, %90 : i8
      %92 = arith.constant 0xff800000 : f32
      %93 = arith.select %91, %88, %92 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x?x?xf32>
    %94 = tensor.empty(%9) : tensor<1x2x?xf32>
    %95 = linalg.fill ins(%13 : f32) outs(%94 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %96 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%86 : tensor<1x2x?x?xf32>) outs(%95 : tensor<1x2x?xf32>) {
    ^bb0(%97: f32, %98: f32):
      %99 = arith.maximumf %98, %97 : f32
      linalg.yield %99 : f32
    } -> tensor<1x2x?xf32>
    %100 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %96 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%100 : tensor<1x2x?x?xf32>) {
    ^bb0(%102: f32, %103: f32, %104: f32):
      %105 = arith.constant 0xff800000 : f32
      %106 = arith.cmpf oeq, %103, %105 : f32
      %107 = arith.constant 0.000000e+00 : f32
      %108 = arith.select %106, %107, %103 : f32
      %109 = arith.subf %102, %108 : f32
      %110 = func.call @kina.exp.f32(%109) : (f32) -> f32
      linalg.yield %110 : f32
    } -> tensor<1x2x?x?xf32>
    %111 = tensor.empty(%9) : tensor<1x2x?xf32>
    %112 = linalg.fill ins(%11 : f32) outs(%111 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %113 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%101 : tensor<1x2x?x?xf32>) outs(%112 : tensor<1x2x?xf32>) {
    ^bb0(%114: f32, %115: f32):
      %116 = arith.addf %115, %114 fastmath<reassoc> : f32
      linalg.yield %116 : f32
    } -> tensor<1x2x?xf32>
    %117 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101, %113 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%117 : tensor<1x2x?x?xf32>) {
    ^bb0(%118: f32, %119: f32, %120: f32):
      %121 = arith.constant 0.000000e+00 : f32
      %122 = arith.cmpf oeq, %119, %121 : f32
      %123 = arith.constant 1.000000e+00 : f32
      %124 = arith.select %122, %123, %119 : f32
      %125 = arith.divf %118, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x?x?xf32>
    %126 = tensor.from_elements %12, %9, %9 : tensor<3xindex>
    %127 = tensor.reshape %probs(%126) : (tensor<1x2x?x?xf32>, tensor<3xindex>) -> tensor<2x?x?xf32>
    %128 = tensor.expand_shape %50 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %129 = tensor.empty(%9) : tensor<2x?x2xf32>
    %130 = linalg.transpose ins(%128:tensor<?x2x2xf32>) outs(%129:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %131 = tensor.empty(%9) : tensor<2x?x2xf32>
    %132 = linalg.fill ins(%11 : f32) outs(%131 : tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127, %130 : tensor<2x?x?xf32>, tensor<2x?x2xf32>) outs(%132 : tensor<2x?x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNx2xN_f32"} {
    ^bb0(%134: f32, %135: f32, %136: f32):
      %137 = arith.mulf %134, %135 fastmath<reassoc,contract> : f32
      %138 = arith.addf %136, %137 fastmath<reassoc,contract> : f32
      linalg.yield %138 : f32
    } -> tensor<2x?x2xf32>
    %139 = tensor.expand_shape %133 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, %9, 2] : tensor<2x?x2xf32> into tensor<1x2x?x2xf32>
    %140 = tensor.empty(%9) : tensor<1x?x2x2xf32>
    %141 = linalg.transpose ins(%139:tensor<1x2x?x2xf32>) outs(%140:tensor<1x?x2x2xf32>) permutation = [0, 2, 1, 3]
    %142 = tensor.collapse_shape %141 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %143 = tensor.empty(%9) : tensor<?x4xf32>
    %144 = linalg.fill ins(%11 : f32) outs(%143 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%142, %w_wo : tensor<?x4xf32>, tensor<4x4xf32>) outs(%144 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%146: f32, %147: f32, %148: f32):
      %149 = arith.mulf %146, %147 fastmath<reassoc,contract> : f32
      %150 = arith.addf %148, %149 fastmath<reassoc,contract> : f32
      linalg.yield %150 : f32
    } -> tensor<?x4xf32>
    %151 = tensor.expand_shape %145 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %9, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %152 = tensor.empty(%9) : tensor<1x?x4xf32>
    %153 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %151 : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%152 : tensor<1x?x4xf32>) {
    ^bb0(%154: f32, %155: f32, %156: f32):
      %157 = arith.addf %154, %155 : f32
      linalg.yield %157 : f32
    } -> tensor<1x?x4xf32>
    %158 = tensor.collapse_shape %153 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %159 = tensor.empty(%9) : tensor<?x8xf32>
    %160 = linalg.fill ins(%11 : f32) outs(%159 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %161 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%158, %w_lm_head : tensor<?x4xf32>, tensor<4x8xf32>) outs(%160 : tensor<?x8xf32>) attrs =  {kina.op = "matmul_nn_Nx8x4_f32"} {
    ^bb0(%162: f32, %163: f32, %164: f32):
      %165 = arith.mulf %162, %163 fastmath<reassoc,contract> : f32
      %166 = arith.addf %164, %165 fastmath<reassoc,contract> : f32
      linalg.yield %166 : f32
    } -> tensor<?x8xf32>
    %logits = tensor.expand_shape %161 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %9, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
    %167 = tensor.empty(%9) : tensor<1x?xf32>
    %168 = linalg.fill ins(%13 : f32) outs(%167 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %169 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits : tensor<1x?x8xf32>) outs(%168 : tensor<1x?xf32>) {
    ^bb0(%170: f32, %171: f32):
      %172 = arith.maximumf %171, %170 : f32
      linalg.yield %172 : f32
    } -> tensor<1x?xf32>
    %173 = tensor.empty(%9) : tensor<1x?x8xf32>
    %shifted = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits, %169 : tensor<1x?x8xf32>, tensor<1x?xf32>) outs(%173 : tensor<1x?x8xf32>) {
    ^bb0(%174: f32, %175: f32, %176: f32):
      %177 = arith.subf %174, %175 : f32
      linalg.yield %177 : f32
    } -> tensor<1x?x8xf32>
    %178 = tensor.empty(%9) : tensor<1x?x8xf32>
    %179 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%shifted : tensor<1x?x8xf32>) outs(%178 : tensor<1x?x8xf32>) {
    ^bb0(%180: f32, %181: f32):
      %182 = func.call @kina.exp.f32(%180) : (f32) -> f32
      linalg.yield %182 : f32
    } -> tensor<1x?x8xf32>
    %183 = tensor.empty(%9) : tensor<1x?xf32>
    %184 = linalg.fill ins(%11 : f32) outs(%183 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %185 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%179 : tensor<1x?x8xf32>) outs(%184 : tensor<1x?xf32>) {
    ^bb0(%186: f32, %187: f32):
      %188 = arith.addf %187, %186 fastmath<reassoc> : f32
      linalg.yield %188 : f32
    } -> tensor<1x?xf32>
    %189 = tensor.empty(%9) : tensor<1x?xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%185 : tensor<1x?xf32>) outs(%189 : tensor<1x?xf32>) {
    ^bb0(%190: f32, %191: f32):
      %192 = func.call @kina.log.f32(%190) : (f32) -> f32
      linalg.yield %192 : f32
    } -> tensor<1x?xf32>
    %193 = tensor.empty(%9) : tensor<1x?x8xi8>
    %follows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%next_ids : tensor<1x?xi64>) outs(%193 : tensor<1x?x8xi8>) {
    ^bb0(%194: i64, %195: i8):
      %196 = linalg.index 2 : index
      %197 = arith.index_cast %196 : index to i64
      %198 = arith.cmpi eq, %197, %194 : i64
      %199 = arith.extui %198 : i1 to i8
      linalg.yield %199 : i8
    } -> tensor<1x?x8xi8>
    %200 = tensor.empty(%9) : tensor<1x?x8xf32>
    %201 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%follows, %shifted : tensor<1x?x8xi8>, tensor<1x?x8xf32>) outs(%200 : tensor<1x?x8xf32>) {
    ^bb0(%202: i8, %203: f32, %204: f32):
      %205 = arith.constant 0 : i8
      %206 = arith.cmpi ne, %202, %205 : i8
      %207 = arith.constant 0.000000e+00 : f32
      %208 = arith.select %206, %203, %207 : f32
      linalg.yield %208 : f32
    } -> tensor<1x?x8xf32>
    %209 = tensor.empty(%9) : tensor<1x?xf32>
    %210 = linalg.fill ins(%11 : f32) outs(%209 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %chosen = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%201 : tensor<1x?x8xf32>) outs(%210 : tensor<1x?xf32>) {
    ^bb0(%211: f32, %212: f32):
      %213 = arith.addf %212, %211 fastmath<reassoc> : f32
      linalg.yield %213 : f32
    } -> tensor<1x?xf32>
    %214 = tensor.empty(%9) : tensor<1x?xf32>
    %215 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total, %chosen : tensor<1x?xf32>, tensor<1x?xf32>) outs(%214 : tensor<1x?xf32>) {
    ^bb0(%216: f32, %217: f32, %218: f32):
      %219 = arith.subf %216, %217 : f32
      linalg.yield %219 : f32
    } -> tensor<1x?xf32>
    %220 = tensor.empty() : tensor<f32>
    %221 = linalg.fill ins(%11 : f32) outs(%220 : tensor<f32>) -> tensor<f32>
    %222 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%215 : tensor<1x?xf32>) outs(%221 : tensor<f32>) {
    ^bb0(%223: f32, %224: f32):
      %225 = arith.addf %224, %223 fastmath<reassoc> : f32
      linalg.yield %225 : f32
    } -> tensor<f32>
    %226 = tensor.extract %222[] : tensor<f32>
    %227 = arith.index_cast %9 : index to i64
    %228 = arith.sitofp %227 : i64 to f32
    %229 = arith.divf %226, %228 : f32
    %230 = arith.index_cast %9 : index to i64
    %231 = arith.sitofp %230 : i64 to f32
    %232 = arith.divf %14, %231 : f32
    %233 = tensor.empty(%9) : tensor<1x?xf32>
    %234 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%233 : tensor<1x?xf32>) {
    ^bb0(%235: f32):
      %236 = arith.negf %232 : f32
      linalg.yield %236 : f32
    } -> tensor<1x?xf32>
    %237 = tensor.empty(%9) : tensor<1x?x8xf32>
    %238 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%follows, %234 : tensor<1x?x8xi8>, tensor<1x?xf32>) outs(%237 : tensor<1x?x8xf32>) {
    ^bb0(%239: i8, %240: f32, %241: f32):
      %242 = arith.constant 0 : i8
      %243 = arith.cmpi ne, %239, %242 : i8
      %244 = arith.constant 0.000000e+00 : f32
      %245 = arith.select %243, %240, %244 : f32
      linalg.yield %245 : f32
    } -> tensor<1x?x8xf32>
    %246 = tensor.empty(%9) : tensor<1x?xf32>
    %247 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%185 : tensor<1x?xf32>) outs(%246 : tensor<1x?xf32>) {
    ^bb0(%248: f32, %249: f32):
      %250 = arith.divf %232, %248 : f32
      linalg.yield %250 : f32
    } -> tensor<1x?xf32>
    %251 = tensor.empty(%9) : tensor<1x?x8xf32>
    %252 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%247, %179 : tensor<1x?xf32>, tensor<1x?x8xf32>) outs(%251 : tensor<1x?x8xf32>) {
    ^bb0(%253: f32, %254: f32, %255: f32):
      %256 = arith.mulf %253, %254 : f32
      linalg.yield %256 : f32
    } -> tensor<1x?x8xf32>
    %257 = tensor.empty(%9) : tensor<1x?x8xf32>
    %258 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%238, %252 : tensor<1x?x8xf32>, tensor<1x?x8xf32>) outs(%257 : tensor<1x?x8xf32>) {
    ^bb0(%259: f32, %260: f32, %261: f32):
      %262 = arith.addf %259, %260 : f32
      linalg.yield %262 : f32
    } -> tensor<1x?x8xf32>
    %263 = tensor.empty(%9) : tensor<1x?x8xf32>
    %264 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258 : tensor<1x?x8xf32>) outs(%263 : tensor<1x?x8xf32>) {
    ^bb0(%265: f32, %266: f32):
      %267 = arith.negf %265 : f32
      linalg.yield %267 : f32
    } -> tensor<1x?x8xf32>
    %268 = tensor.empty(%9) : tensor<1x?xf32>
    %269 = linalg.fill ins(%11 : f32) outs(%268 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %270 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%264 : tensor<1x?x8xf32>) outs(%269 : tensor<1x?xf32>) {
    ^bb0(%271: f32, %272: f32):
      %273 = arith.addf %272, %271 fastmath<reassoc> : f32
      linalg.yield %273 : f32
    } -> tensor<1x?xf32>
    %274 = tensor.empty(%9) : tensor<1x?x8xi8>
    %275 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits, %169 : tensor<1x?x8xf32>, tensor<1x?xf32>) outs(%274 : tensor<1x?x8xi8>) {
    ^bb0(%276: f32, %277: f32, %278: i8):
      %279 = arith.cmpf oeq, %276, %277 : f32
      %280 = arith.extui %279 : i1 to i8
      linalg.yield %280 : i8
    } -> tensor<1x?x8xi8>
    %281 = tensor.empty(%9) : tensor<1x?x8xi8>
    %282 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits : tensor<1x?x8xf32>) outs(%281 : tensor<1x?x8xi8>) {
    ^bb0(%283: f32, %284: i8):
      %285 = arith.cmpf une, %283, %283 : f32
      %286 = arith.extui %285 : i1 to i8
      linalg.yield %286 : i8
    } -> tensor<1x?x8xi8>
    %287 = tensor.empty(%9) : tensor<1x?x8xi8>
    %288 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%275, %282 : tensor<1x?x8xi8>, tensor<1x?x8xi8>) outs(%287 : tensor<1x?x8xi8>) {
    ^bb0(%289: i8, %290: i8, %291: i8):
      %292 = arith.constant 0 : i8
      %293 = arith.cmpi ne, %289, %292 : i8
      %294 = arith.cmpi ne, %290, %292 : i8
      %295 = arith.ori %293, %294 : i1
      %296 = arith.extui %295 : i1 to i8
      linalg.yield %296 : i8
    } -> tensor<1x?x8xi8>
    %297 = tensor.empty(%9) : tensor<1x?x8xi64>
    %298 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%288 : tensor<1x?x8xi8>) outs(%297 : tensor<1x?x8xi64>) {
    ^bb0(%299: i8, %300: i64):
      %301 = arith.constant 0 : i8
      %302 = arith.cmpi ne, %299, %301 : i8
      %303 = linalg.index 2 : index
      %304 = arith.index_cast %303 : index to i64
      %305 = arith.constant 8 : i64
      %306 = arith.select %302, %304, %305 : i64
      linalg.yield %306 : i64
    } -> tensor<1x?x8xi64>
    %307 = tensor.empty(%9) : tensor<1x?xi64>
    %308 = linalg.fill ins(%15 : i64) outs(%307 : tensor<1x?xi64>) -> tensor<1x?xi64>
    %309 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%298 : tensor<1x?x8xi64>) outs(%308 : tensor<1x?xi64>) {
    ^bb0(%310: i64, %311: i64):
      %312 = arith.minsi %311, %310 : i64
      linalg.yield %312 : i64
    } -> tensor<1x?xi64>
    %313 = tensor.empty(%9) : tensor<1x?x8xi8>
    %314 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%309 : tensor<1x?xi64>) outs(%313 : tensor<1x?x8xi8>) {
    ^bb0(%315: i64, %316: i8):
      %317 = linalg.index 2 : index
      %318 = arith.index_cast %317 : index to i64
      %319 = arith.cmpi eq, %318, %315 : i64
      %320 = arith.extui %319 : i1 to i8
      linalg.yield %320 : i8
    } -> tensor<1x?x8xi8>
    %321 = tensor.empty(%9) : tensor<1x?x8xf32>
    %322 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%314, %270 : tensor<1x?x8xi8>, tensor<1x?xf32>) outs(%321 : tensor<1x?x8xf32>) {
    ^bb0(%323: i8, %324: f32, %325: f32):
      %326 = arith.constant 0 : i8
      %327 = arith.cmpi ne, %323, %326 : i8
      %328 = arith.constant 0.000000e+00 : f32
      %329 = arith.select %327, %324, %328 : f32
      linalg.yield %329 : f32
    } -> tensor<1x?x8xf32>
    %330 = tensor.empty(%9) : tensor<1x?x8xf32>
    %331 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258, %322 : tensor<1x?x8xf32>, tensor<1x?x8xf32>) outs(%330 : tensor<1x?x8xf32>) {
    ^bb0(%332: f32, %333: f32, %334: f32):
      %335 = arith.addf %332, %333 : f32
      linalg.yield %335 : f32
    } -> tensor<1x?x8xf32>
    %336 = tensor.collapse_shape %331 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x8xf32> into tensor<?x8xf32>
    %337 = tensor.empty(%9) : tensor<?x4xf32>
    %338 = linalg.fill ins(%11 : f32) outs(%337 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %339 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%336, %w_lm_head : tensor<?x8xf32>, tensor<4x8xf32>) outs(%338 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nt_Nx4x8_f32"} {
    ^bb0(%340: f32, %341: f32, %342: f32):
      %343 = arith.mulf %340, %341 fastmath<reassoc,contract> : f32
      %344 = arith.addf %342, %343 fastmath<reassoc,contract> : f32
      linalg.yield %344 : f32
    } -> tensor<?x4xf32>
    %345 = tensor.expand_shape %339 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %9, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %346 = tensor.collapse_shape %153 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %347 = tensor.empty(%9) : tensor<4x?xf32>
    %348 = linalg.transpose ins(%346:tensor<?x4xf32>) outs(%347:tensor<4x?xf32>) permutation = [1, 0]
    %349 = tensor.collapse_shape %331 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x8xf32> into tensor<?x8xf32>
    %350 = tensor.empty() : tensor<4x8xf32>
    %351 = linalg.fill ins(%11 : f32) outs(%350 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %352 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%348, %349 : tensor<4x?xf32>, tensor<?x8xf32>) outs(%351 : tensor<4x8xf32>) attrs =  {kina.op = "matmul_nn_4x8xN_f32"} {
    ^bb0(%353: f32, %354: f32, %355: f32):
      %356 = arith.mulf %353, %354 fastmath<reassoc,contract> : f32
      %357 = arith.addf %355, %356 fastmath<reassoc,contract> : f32
      linalg.yield %357 : f32
    } -> tensor<4x8xf32>
    %358 = tensor.expand_shape %352 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
    %359 = tensor.empty() : tensor<4x8xf32>
    %360 = linalg.fill ins(%11 : f32) outs(%359 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %361 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%358 : tensor<1x4x8xf32>) outs(%360 : tensor<4x8xf32>) {
    ^bb0(%362: f32, %363: f32):
      %364 = arith.addf %363, %362 fastmath<reassoc> : f32
      linalg.yield %364 : f32
    } -> tensor<4x8xf32>
    %365 = tensor.empty(%9) : tensor<?x4xf32>
    %366 = linalg.fill ins(%11 : f32) outs(%365 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %367 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%339, %w_wo : tensor<?x4xf32>, tensor<4x4xf32>) outs(%366 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nt_Nx4x4_f32"} {
    ^bb0(%368: f32, %369: f32, %370: f32):
      %371 = arith.mulf %368, %369 fastmath<reassoc,contract> : f32
      %372 = arith.addf %370, %371 fastmath<reassoc,contract> : f32
      linalg.yield %372 : f32
    } -> tensor<?x4xf32>
    %373 = tensor.collapse_shape %141 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %374 = tensor.empty(%9) : tensor<4x?xf32>
    %375 = linalg.transpose ins(%373:tensor<?x4xf32>) outs(%374:tensor<4x?xf32>) permutation = [1, 0]
    %376 = tensor.empty() : tensor<4x4xf32>
    %377 = linalg.fill ins(%11 : f32) outs(%376 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %378 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%375, %339 : tensor<4x?xf32>, tensor<?x4xf32>) outs(%377 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4xN_f32"} {
    ^bb0(%379: f32, %380: f32, %381: f32):
      %382 = arith.mulf %379, %380 fastmath<reassoc,contract> : f32
      %383 = arith.addf %381, %382 fastmath<reassoc,contract> : f32
      linalg.yield %383 : f32
    } -> tensor<4x4xf32>
    %384 = tensor.expand_shape %378 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %385 = tensor.empty() : tensor<4x4xf32>
    %386 = linalg.fill ins(%11 : f32) outs(%385 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %387 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%384 : tensor<1x4x4xf32>) outs(%386 : tensor<4x4xf32>) {
    ^bb0(%388: f32, %389: f32):
      %390 = arith.addf %389, %388 fastmath<reassoc> : f32
      linalg.yield %390 : f32
    } -> tensor<4x4xf32>
    %391 = tensor.expand_shape %367 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %392 = tensor.empty(%9) : tensor<2x?x2xf32>
    %393 = linalg.transpose ins(%391:tensor<?x2x2xf32>) outs(%392:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %394 = tensor.expand_shape %50 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %395 = tensor.empty(%9) : tensor<2x2x?xf32>
    %396 = linalg.transpose ins(%394:tensor<?x2x2xf32>) outs(%395:tensor<2x2x?xf32>) permutation = [1, 2, 0]
    %397 = tensor.empty(%9, %9) : tensor<2x?x?xf32>
    %398 = linalg.fill ins(%11 : f32) outs(%397 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %399 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%393, %396 : tensor<2x?x2xf32>, tensor<2x2x?xf32>) outs(%398 : tensor<2x?x?xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNxNx2_f32"} {
    ^bb0(%400: f32, %401: f32, %402: f32):
      %403 = arith.mulf %400, %401 fastmath<reassoc,contract> : f32
      %404 = arith.addf %402, %403 fastmath<reassoc,contract> : f32
      linalg.yield %404 : f32
    } -> tensor<2x?x?xf32>
    %405 = tensor.from_elements %8, %12, %9, %9 : tensor<4xindex>
    %406 = tensor.reshape %399(%405) : (tensor<2x?x?xf32>, tensor<4xindex>) -> tensor<1x2x?x?xf32>
    %407 = tensor.from_elements %12, %9, %9 : tensor<3xindex>
    %408 = tensor.reshape %probs(%407) : (tensor<1x2x?x?xf32>, tensor<3xindex>) -> tensor<2x?x?xf32>
    %409 = tensor.empty(%9, %9) : tensor<2x?x?xf32>
    %410 = linalg.transpose ins(%408:tensor<2x?x?xf32>) outs(%409:tensor<2x?x?xf32>) permutation = [0, 2, 1]
    %411 = tensor.expand_shape %367 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %412 = tensor.empty(%9) : tensor<2x?x2xf32>
    %413 = linalg.transpose ins(%411:tensor<?x2x2xf32>) outs(%412:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %414 = tensor.empty(%9) : tensor<2x?x2xf32>
    %415 = linalg.fill ins(%11 : f32) outs(%414 : tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %416 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%410, %413 : tensor<2x?x?xf32>, tensor<2x?x2xf32>) outs(%415 : tensor<2x?x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNx2xN_f32"} {
    ^bb0(%417: f32, %418: f32, %419: f32):
      %420 = arith.mulf %417, %418 fastmath<reassoc,contract> : f32
      %421 = arith.addf %419, %420 fastmath<reassoc,contract> : f32
      linalg.yield %421 : f32
    } -> tensor<2x?x2xf32>
    %422 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %423 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%406, %probs : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%422 : tensor<1x2x?x?xf32>) {
    ^bb0(%424: f32, %425: f32, %426: f32):
      %427 = arith.mulf %424, %425 : f32
      linalg.yield %427 : f32
    } -> tensor<1x2x?x?xf32>
    %428 = tensor.empty(%9) : tensor<1x2x?xf32>
    %429 = linalg.fill ins(%11 : f32) outs(%428 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %430 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%423 : tensor<1x2x?x?xf32>) outs(%429 : tensor<1x2x?xf32>) {
    ^bb0(%431: f32, %432: f32):
      %433 = arith.addf %432, %431 fastmath<reassoc> : f32
      linalg.yield %433 : f32
    } -> tensor<1x2x?xf32>
    %434 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %435 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%406, %430 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%434 : tensor<1x2x?x?xf32>) {
    ^bb0(%436: f32, %437: f32, %438: f32):
      %439 = arith.subf %436, %437 : f32
      linalg.yield %439 : f32
    } -> tensor<1x2x?x?xf32>
    %440 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %441 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%probs, %435 : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%440 : tensor<1x2x?x?xf32>) {
    ^bb0(%442: f32, %443: f32, %444: f32):
      %445 = arith.mulf %442, %443 : f32
      linalg.yield %445 : f32
    } -> tensor<1x2x?x?xf32>
    %446 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %447 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %441 : tensor<?x?xi8>, tensor<1x2x?x?xf32>) outs(%446 : tensor<1x2x?x?xf32>) {
    ^bb0(%448: i8, %449: f32, %450: f32):
      %451 = arith.constant 0 : i8
      %452 = arith.cmpi ne, %448, %451 : i8
      %453 = arith.constant 0.000000e+00 : f32
      %454 = arith.select %452, %449, %453 : f32
      linalg.yield %454 : f32
    } -> tensor<1x2x?x?xf32>
    %455 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %456 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%447 : tensor<1x2x?x?xf32>) outs(%455 : tensor<1x2x?x?xf32>) {
    ^bb0(%457: f32, %458: f32):
      %459 = arith.mulf %457, %w_scale_1 : f32
      linalg.yield %459 : f32
    } -> tensor<1x2x?x?xf32>
    %460 = tensor.empty(%9, %9) : tensor<1x2x?x?xf32>
    %461 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%447, %71 : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%460 : tensor<1x2x?x?xf32>) {
    ^bb0(%462: f32, %463: f32, %464: f32):
      %465 = arith.mulf %462, %463 : f32
      linalg.yield %465 : f32
    } -> tensor<1x2x?x?xf32>
    %466 = tensor.empty() : tensor<f32>
    %467 = linalg.fill ins(%11 : f32) outs(%466 : tensor<f32>) -> tensor<f32>
    %468 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%461 : tensor<1x2x?x?xf32>) outs(%467 : tensor<f32>) {
    ^bb0(%469: f32, %470: f32):
      %471 = arith.addf %470, %469 fastmath<reassoc> : f32
      linalg.yield %471 : f32
    } -> tensor<f32>
    %472 = tensor.extract %468[] : tensor<f32>
    %473 = tensor.from_elements %12, %9, %9 : tensor<3xindex>
    %474 = tensor.reshape %456(%473) : (tensor<1x2x?x?xf32>, tensor<3xindex>) -> tensor<2x?x?xf32>
    %475 = tensor.expand_shape %41 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %476 = tensor.empty(%9) : tensor<2x?x2xf32>
    %477 = linalg.transpose ins(%475:tensor<?x2x2xf32>) outs(%476:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %478 = tensor.empty(%9) : tensor<2x?x2xf32>
    %479 = linalg.fill ins(%11 : f32) outs(%478 : tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %480 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%474, %477 : tensor<2x?x?xf32>, tensor<2x?x2xf32>) outs(%479 : tensor<2x?x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNx2xN_f32"} {
    ^bb0(%481: f32, %482: f32, %483: f32):
      %484 = arith.mulf %481, %482 fastmath<reassoc,contract> : f32
      %485 = arith.addf %483, %484 fastmath<reassoc,contract> : f32
      linalg.yield %485 : f32
    } -> tensor<2x?x2xf32>
    %486 = tensor.expand_shape %32 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%9, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %487 = tensor.empty(%9) : tensor<2x2x?xf32>
    %488 = linalg.transpose ins(%486:tensor<?x2x2xf32>) outs(%487:tensor<2x2x?xf32>) permutation = [1, 2, 0]
    %489 = tensor.from_elements %12, %9, %9 : tensor<3xindex>
    %490 = tensor.reshape %456(%489) : (tensor<1x2x?x?xf32>, tensor<3xindex>) -> tensor<2x?x?xf32>
    %491 = tensor.empty(%9) : tensor<2x2x?xf32>
    %492 = linalg.fill ins(%11 : f32) outs(%491 : tensor<2x2x?xf32>) -> tensor<2x2x?xf32>
    %493 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%488, %490 : tensor<2x2x?xf32>, tensor<2x?x?xf32>) outs(%492 : tensor<2x2x?xf32>) attrs =  {kina.op = "batch_matmul_nn_2x2xNxN_f32"} {
    ^bb0(%494: f32, %495: f32, %496: f32):
      %497 = arith.mulf %494, %495 fastmath<reassoc,contract> : f32
      %498 = arith.addf %496, %497 fastmath<reassoc,contract> : f32
      linalg.yield %498 : f32
    } -> tensor<2x2x?xf32>
    %499 = tensor.expand_shape %416 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, %9, 2] : tensor<2x?x2xf32> into tensor<1x2x?x2xf32>
    %500 = tensor.empty(%9) : tensor<1x?x2x2xf32>
    %501 = linalg.transpose ins(%499:tensor<1x2x?x2xf32>) outs(%500:tensor<1x?x2x2xf32>) permutation = [0, 2, 1, 3]
    %502 = tensor.collapse_shape %501 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %503 = tensor.empty(%9) : tensor<?x4xf32>
    %504 = linalg.fill ins(%11 : f32) outs(%503 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %505 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%502, %w_wv : tensor<?x4xf32>, tensor<4x4xf32>) outs(%504 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nt_Nx4x4_f32"} {
    ^bb0(%506: f32, %507: f32, %508: f32):
      %509 = arith.mulf %506, %507 fastmath<reassoc,contract> : f32
      %510 = arith.addf %508, %509 fastmath<reassoc,contract> : f32
      linalg.yield %510 : f32
    } -> tensor<?x4xf32>
    %511 = tensor.expand_shape %505 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %9, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %512 = tensor.empty(%9) : tensor<1x?x4xf32>
    %513 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%345, %511 : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%512 : tensor<1x?x4xf32>) {
    ^bb0(%514: f32, %515: f32, %516: f32):
      %517 = arith.addf %514, %515 : f32
      linalg.yield %517 : f32
    } -> tensor<1x?x4xf32>
    %518 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %519 = tensor.empty(%9) : tensor<4x?xf32>
    %520 = linalg.transpose ins(%518:tensor<?x4xf32>) outs(%519:tensor<4x?xf32>) permutation = [1, 0]
    %521 = tensor.collapse_shape %501 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %522 = tensor.empty() : tensor<4x4xf32>
    %523 = linalg.fill ins(%11 : f32) outs(%522 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %524 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%520, %521 : tensor<4x?xf32>, tensor<?x4xf32>) outs(%523 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4xN_f32"} {
    ^bb0(%525: f32, %526: f32, %527: f32):
      %528 = arith.mulf %525, %526 fastmath<reassoc,contract> : f32
      %529 = arith.addf %527, %528 fastmath<reassoc,contract> : f32
      linalg.yield %529 : f32
    } -> tensor<4x4xf32>
    %530 = tensor.expand_shape %524 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %531 = tensor.empty() : tensor<4x4xf32>
    %532 = linalg.fill ins(%11 : f32) outs(%531 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %533 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%530 : tensor<1x4x4xf32>) outs(%532 : tensor<4x4xf32>) {
    ^bb0(%534: f32, %535: f32):
      %536 = arith.addf %535, %534 fastmath<reassoc> : f32
      linalg.yield %536 : f32
    } -> tensor<4x4xf32>
    %537 = tensor.expand_shape %493 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 2, %9] : tensor<2x2x?xf32> into tensor<1x2x2x?xf32>
    %538 = tensor.empty(%9) : tensor<1x?x2x2xf32>
    %539 = linalg.transpose ins(%537:tensor<1x2x2x?xf32>) outs(%538:tensor<1x?x2x2xf32>) permutation = [0, 3, 1, 2]
    %540 = tensor.collapse_shape %539 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %541 = tensor.empty(%9) : tensor<?x4xf32>
    %542 = linalg.fill ins(%11 : f32) outs(%541 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %543 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%540, %w_wk : tensor<?x4xf32>, tensor<4x4xf32>) outs(%542 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nt_Nx4x4_f32"} {
    ^bb0(%544: f32, %545: f32, %546: f32):
      %547 = arith.mulf %544, %545 fastmath<reassoc,contract> : f32
      %548 = arith.addf %546, %547 fastmath<reassoc,contract> : f32
      linalg.yield %548 : f32
    } -> tensor<?x4xf32>
    %549 = tensor.expand_shape %543 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %9, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %550 = tensor.empty(%9) : tensor<1x?x4xf32>
    %551 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%513, %549 : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%550 : tensor<1x?x4xf32>) {
    ^bb0(%552: f32, %553: f32, %554: f32):
      %555 = arith.addf %552, %553 : f32
      linalg.yield %555 : f32
    } -> tensor<1x?x4xf32>
    %556 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %557 = tensor.empty(%9) : tensor<4x?xf32>
    %558 = linalg.transpose ins(%556:tensor<?x4xf32>) outs(%557:tensor<4x?xf32>) permutation = [1, 0]
    %559 = tensor.collapse_shape %539 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %560 = tensor.empty() : tensor<4x4xf32>
    %561 = linalg.fill ins(%11 : f32) outs(%560 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %562 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%558, %559 : tensor<4x?xf32>, tensor<?x4xf32>) outs(%561 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4xN_f32"} {
    ^bb0(%563: f32, %564: f32, %565: f32):
      %566 = arith.mulf %563, %564 fastmath<reassoc,contract> : f32
      %567 = arith.addf %565, %566 fastmath<reassoc,contract> : f32
      linalg.yield %567 : f32
    } -> tensor<4x4xf32>
    %568 = tensor.expand_shape %562 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %569 = tensor.empty() : tensor<4x4xf32>
    %570 = linalg.fill ins(%11 : f32) outs(%569 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %571 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%568 : tensor<1x4x4xf32>) outs(%570 : tensor<4x4xf32>) {
    ^bb0(%572: f32, %573: f32):
      %574 = arith.addf %573, %572 fastmath<reassoc> : f32
      linalg.yield %574 : f32
    } -> tensor<4x4xf32>
    %575 = tensor.expand_shape %480 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, %9, 2] : tensor<2x?x2xf32> into tensor<1x2x?x2xf32>
    %576 = tensor.empty(%9) : tensor<1x?x2x2xf32>
    %577 = linalg.transpose ins(%575:tensor<1x2x?x2xf32>) outs(%576:tensor<1x?x2x2xf32>) permutation = [0, 2, 1, 3]
    %578 = tensor.collapse_shape %577 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %579 = tensor.empty(%9) : tensor<?x4xf32>
    %580 = linalg.fill ins(%11 : f32) outs(%579 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %581 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%578, %w_wq : tensor<?x4xf32>, tensor<4x4xf32>) outs(%580 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nt_Nx4x4_f32"} {
    ^bb0(%582: f32, %583: f32, %584: f32):
      %585 = arith.mulf %582, %583 fastmath<reassoc,contract> : f32
      %586 = arith.addf %584, %585 fastmath<reassoc,contract> : f32
      linalg.yield %586 : f32
    } -> tensor<?x4xf32>
    %587 = tensor.expand_shape %581 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %9, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %588 = tensor.empty(%9) : tensor<1x?x4xf32>
    %589 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%551, %587 : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%588 : tensor<1x?x4xf32>) {
    ^bb0(%590: f32, %591: f32, %592: f32):
      %593 = arith.addf %590, %591 : f32
      linalg.yield %593 : f32
    } -> tensor<1x?x4xf32>
    %594 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %595 = tensor.empty(%9) : tensor<4x?xf32>
    %596 = linalg.transpose ins(%594:tensor<?x4xf32>) outs(%595:tensor<4x?xf32>) permutation = [1, 0]
    %597 = tensor.collapse_shape %577 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %598 = tensor.empty() : tensor<4x4xf32>
    %599 = linalg.fill ins(%11 : f32) outs(%598 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %600 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%596, %597 : tensor<4x?xf32>, tensor<?x4xf32>) outs(%599 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4xN_f32"} {
    ^bb0(%601: f32, %602: f32, %603: f32):
      %604 = arith.mulf %601, %602 fastmath<reassoc,contract> : f32
      %605 = arith.addf %603, %604 fastmath<reassoc,contract> : f32
      linalg.yield %605 : f32
    } -> tensor<4x4xf32>
    %606 = tensor.expand_shape %600 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %607 = tensor.empty() : tensor<4x4xf32>
    %608 = linalg.fill ins(%11 : f32) outs(%607 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %609 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%606 : tensor<1x4x4xf32>) outs(%608 : tensor<4x4xf32>) {
    ^bb0(%610: f32, %611: f32):
      %612 = arith.addf %611, %610 fastmath<reassoc> : f32
      linalg.yield %612 : f32
    } -> tensor<4x4xf32>
    %613 = tensor.collapse_shape %token_ids [[0 : i64, 1 : i64]] : tensor<1x?xi64> into tensor<?xi64>
    %614 = tensor.collapse_shape %589 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %615 = tensor.empty() : tensor<8x4xf32>
    %616 = linalg.fill ins(%11 : f32) outs(%615 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %617 = scf.for %618 = %10 to %9 step %8 iter_args(%619 = %616) -> (tensor<8x4xf32>) {
      %620 = arith.minsi %618, %17 : index
      %621 = arith.maxsi %620, %10 : index
      %622 = tensor.extract %613[%621] : tensor<?xi64>
      %623 = arith.minsi %618, %17 : index
      %624 = arith.maxsi %623, %10 : index
      %625 = tensor.extract_slice %614[%624, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
      %626 = arith.index_cast %622 : i64 to index
      %627 = arith.minsi %626, %18 : index
      %628 = arith.maxsi %627, %10 : index
      %629 = tensor.extract_slice %619[%628, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
      %630 = tensor.empty() : tensor<1x4xf32>
      %631 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%629, %625 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%630 : tensor<1x4xf32>) {
      ^bb0(%632: f32, %633: f32, %634: f32):
        %635 = arith.addf %632, %633 : f32
        linalg.yield %635 : f32
      } -> tensor<1x4xf32>
      %636 = arith.minsi %626, %18 : index
      %637 = arith.maxsi %636, %10 : index
      %638 = tensor.insert_slice %631 into %619[%637, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
      scf.yield %638 : tensor<8x4xf32>
    }
    %639 = linalg.fill ins(%229 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %640 = bufferization.materialize_in_destination %617 in %1 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %641 = bufferization.materialize_in_destination %609 in %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %642 = bufferization.materialize_in_destination %571 in %3 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %643 = bufferization.materialize_in_destination %533 in %4 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %644 = bufferization.materialize_in_destination %387 in %5 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %645 = bufferization.materialize_in_destination %361 in %6 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %646 = linalg.fill ins(%472 : f32) outs(%7 : tensor<f32>) -> tensor<f32>
    func.return %639, %640, %641, %642, %643, %644, %645, %646 : tensor<f32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<f32>
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
