builtin.module {
  func.func @loss_5_gradient(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x5xi64> {bufferization.writable = false}, %next_ids: tensor<1x5xi64> {bufferization.writable = false}, %0: tensor<f32> {bufferization.writable = true}, %1: tensor<8x4xf32> {bufferization.writable = true}, %2: tensor<4x4xf32> {bufferization.writable = true}, %3: tensor<4x4xf32> {bufferization.writable = true}, %4: tensor<4x4xf32> {bufferization.writable = true}, %5: tensor<4x4xf32> {bufferization.writable = true}, %6: tensor<4x8xf32> {bufferization.writable = true}, %7: tensor<f32> {bufferization.writable = true}) -> (tensor<f32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<f32>) attributes {llvm.emit_c_interface} {
    %8 = arith.constant 0 : index
    %9 = arith.constant 0.000000e+00 : f32
    %10 = arith.constant 0xff800000 : f32
    %11 = arith.constant 5.000000e+00 : f32
    %12 = arith.constant 5 : i64
    %13 = arith.constant 1.000000e+00 : f32
    %14 = arith.constant 9223372036854775807 : i64
    %15 = arith.constant 5 : index
    %16 = arith.constant 1 : index
    %17 = arith.constant 7 : index
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %18 = tensor.empty() : tensor<1x5x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x5xi64>) outs(%18 : tensor<1x5x4xf32>) {
    ^bb0(%19: i64, %20: f32):
      %21 = arith.index_cast %19 : i64 to index
      %22 = arith.constant 7 : index
      %23 = arith.minsi %21, %22 : index
      %24 = arith.constant 0 : index
      %25 = arith.maxsi %23, %24 : index
      %26 = linalg.index 2 : index
      %27 = tensor.extract %w_embed[%25, %26] : tensor<8x4xf32>
      linalg.yield %27 : f32
    } -> tensor<1x5x4xf32>
    %28 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %29 = tensor.empty() : tensor<5x4xf32>
    %30 = linalg.fill ins(%9 : f32) outs(%29 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%28, %w_wq : tensor<5x4xf32>, tensor<4x4xf32>) outs(%30 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%32: f32, %33: f32, %34: f32):
      %35 = arith.mulf %32, %33 fastmath<reassoc,contract> : f32
      %36 = arith.addf %34, %35 fastmath<reassoc,contract> : f32
      linalg.yield %36 : f32
    } -> tensor<5x4xf32>
    %37 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %38 = tensor.empty() : tensor<5x4xf32>
    %39 = linalg.fill ins(%9 : f32) outs(%38 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37, %w_wk : tensor<5x4xf32>, tensor<4x4xf32>) outs(%39 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%41: f32, %42: f32, %43: f32):
      %44 = arith.mulf %41, %42 fastmath<reassoc,contract> : f32
      %45 = arith.addf %43, %44 fastmath<reassoc,contract> : f32
      linalg.yield %45 : f32
    } -> tensor<5x4xf32>
    %46 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %47 = tensor.empty() : tensor<5x4xf32>
    %48 = linalg.fill ins(%9 : f32) outs(%47 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%46, %w_wv : tensor<5x4xf32>, tensor<4x4xf32>) outs(%48 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%50: f32, %51: f32, %52: f32):
      %53 = arith.mulf %50, %51 fastmath<reassoc,contract> : f32
      %54 = arith.addf %52, %53 fastmath<reassoc,contract> : f32
      linalg.yield %54 : f32
    } -> tensor<5x4xf32>
    %55 = tensor.expand_shape %31 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %56 = tensor.empty() : tensor<2x5x2xf32>
    %57 = linalg.transpose ins(%55:tensor<5x2x2xf32>) outs(%56:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %58 = tensor.expand_shape %40 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %59 = tensor.empty() : tensor<2x2x5xf32>
    %60 = linalg.transpose ins(%58:tensor<5x2x2xf32>) outs(%59:tensor<2x2x5xf32>) permutation = [1, 2, 0]
    %61 = tensor.empty() : tensor<2x5x5xf32>
    %62 = linalg.fill ins(%9 : f32) outs(%61 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57, %60 : tensor<2x5x2xf32>, tensor<2x2x5xf32>) outs(%62 : tensor<2x5x5xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x5x2_f32"} {
    ^bb0(%64: f32, %65: f32, %66: f32):
      %67 = arith.mulf %64, %65 fastmath<reassoc,contract> : f32
      %68 = arith.addf %66, %67 fastmath<reassoc,contract> : f32
      linalg.yield %68 : f32
    } -> tensor<2x5x5xf32>
    %69 = tensor.expand_shape %63 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %70 = tensor.empty() : tensor<1x2x5x5xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x5x5xf32>) outs(%70 : tensor<1x2x5x5xf32>) {
    ^bb0(%71: f32, %72: f32):
      %73 = arith.mulf %71, %w_scale_1 : f32
      linalg.yield %73 : f32
    } -> tensor<1x2x5x5xf32>
    %74 = tensor.empty() : tensor<5x5xi8>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%74 : tensor<5x5xi8>) {
    ^bb0(%76: i8):
      %77 = linalg.index 1 : index
      %78 = arith.index_cast %77 : index to i64
      %79 = linalg.index 0 : index
      %80 = arith.index_cast %79 : index to i64
      %81 = arith.cmpi sle, %78, %80 : i64
      %82 = arith.extui %81 : i1 to i8
      linalg.yield %82 : i8
    } -> tensor<5x5xi8>
    %83 = tensor.empty() : tensor<1x2x5x5xf32>
    %84 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %scores : tensor<5x5xi8>, tensor<1x2x5x5xf32>) outs(%83 : tensor<1x2x5x5xf32>) {
    ^bb0(%85: i8, %86: f32, %87: f32):
      %88 = arith.constant 0 : i8
      %89 = arith.cmpi ne, %85, %88 : i8
      %90 = arith.constant 0xff800000 : f32
      %91 = arith.select %89, %86, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x5x5xf32>
    %92 = tensor.empty() : tensor<1x2x5xf32>
    %93 = linalg.fill ins(%10 : f32) outs(%92 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %94 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<1x2x5x5xf32>) outs(%93 : tensor<1x2x5xf32>) {
    ^bb0(%95: f32, %96: f32):
      %97 = arith.maximumf %96, %95 : f32
      linalg.yield %97 : f32
    } -> tensor<1x2x5xf32>
    %98 = tensor.empty() : tensor<1x2x5x5xf32>
    %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %94 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%98 : tensor<1x2x5x5xf32>) {
    ^bb0(%100: f32, %101: f32, %102: f32):
      %103 = arith.constant 0xff800000 : f32
      %104 = arith.cmpf oeq, %101, %103 : f32
      %105 = arith.constant 0.000000e+00 : f32
      %106 = arith.select %104, %105, %101 : f32
      %107 = arith.subf %100, %106 : f32
      %108 = func.call @kina.exp.f32(%107) : (f32) -> f32
      linalg.yield %108 : f32
    } -> tensor<1x2x5x5xf32>
    %109 = tensor.empty() : tensor<1x2x5xf32>
    %110 = linalg.fill ins(%9 : f32) outs(%109 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %111 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%99 : tensor<1x2x5x5xf32>) outs(%110 : tensor<1x2x5xf32>) {
    ^bb0(%112: f32, %113: f32):
      %114 = arith.addf %113, %112 fastmath<reassoc> : f32
      linalg.yield %114 : f32
    } -> tensor<1x2x5xf32>
    %115 = tensor.empty() : tensor<1x2x5x5xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99, %111 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%115 : tensor<1x2x5x5xf32>) {
    ^bb0(%116: f32, %117: f32, %118: f32):
      %119 = arith.constant 0.000000e+00 : f32
      %120 = arith.cmpf oeq, %117, %119 : f32
      %121 = arith.constant 1.000000e+00 : f32
      %122 = arith.select %120, %121, %117 : f32
      %123 = arith.divf %116, %122 : f32
      linalg.yield %123 : f32
    } -> tensor<1x2x5x5xf32>
    %124 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %125 = tensor.expand_shape %49 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %126 = tensor.empty() : tensor<2x5x2xf32>
    %127 = linalg.transpose ins(%125:tensor<5x2x2xf32>) outs(%126:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %128 = tensor.empty() : tensor<2x5x2xf32>
    %129 = linalg.fill ins(%9 : f32) outs(%128 : tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %130 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%124, %127 : tensor<2x5x5xf32>, tensor<2x5x2xf32>) outs(%129 : tensor<2x5x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x2x5_f32"} {
    ^bb0(%131: f32, %132: f32, %133: f32):
      %134 = arith.mulf %131, %132 fastmath<reassoc,contract> : f32
      %135 = arith.addf %133, %134 fastmath<reassoc,contract> : f32
      linalg.yield %135 : f32
    } -> tensor<2x5x2xf32>
    %136 = tensor.expand_shape %130 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 2] : tensor<2x5x2xf32> into tensor<1x2x5x2xf32>
    %137 = tensor.empty() : tensor<1x5x2x2xf32>
    %138 = linalg.transpose ins(%136:tensor<1x2x5x2xf32>) outs(%137:tensor<1x5x2x2xf32>) permutation = [0, 2, 1, 3]
    %139 = tensor.collapse_shape %138 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %140 = tensor.empty() : tensor<5x4xf32>
    %141 = linalg.fill ins(%9 : f32) outs(%140 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %142 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%139, %w_wo : tensor<5x4xf32>, tensor<4x4xf32>) outs(%141 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%143: f32, %144: f32, %145: f32):
      %146 = arith.mulf %143, %144 fastmath<reassoc,contract> : f32
      %147 = arith.addf %145, %146 fastmath<reassoc,contract> : f32
      linalg.yield %147 : f32
    } -> tensor<5x4xf32>
    %148 = tensor.expand_shape %142 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %149 = tensor.empty() : tensor<1x5x4xf32>
    %150 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %148 : tensor<1x5x4xf32>, tensor<1x5x4xf32>) outs(%149 : tensor<1x5x4xf32>) {
    ^bb0(%151: f32, %152: f32, %153: f32):
      %154 = arith.addf %151, %152 : f32
      linalg.yield %154 : f32
    } -> tensor<1x5x4xf32>
    %155 = tensor.collapse_shape %150 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %156 = tensor.empty() : tensor<5x8xf32>
    %157 = linalg.fill ins(%9 : f32) outs(%156 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %158 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%155, %w_lm_head : tensor<5x4xf32>, tensor<4x8xf32>) outs(%157 : tensor<5x8xf32>) attrs =  {kina.op = "matmul_nn_5x8x4_f32"} {
    ^bb0(%159: f32, %160: f32, %161: f32):
      %162 = arith.mulf %159, %160 fastmath<reassoc,contract> : f32
      %163 = arith.addf %161, %162 fastmath<reassoc,contract> : f32
      linalg.yield %163 : f32
    } -> tensor<5x8xf32>
    %logits = tensor.expand_shape %158 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 8] : tensor<5x8xf32> into tensor<1x5x8xf32>
    %164 = tensor.empty() : tensor<1x5xf32>
    %165 = linalg.fill ins(%10 : f32) outs(%164 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %166 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits : tensor<1x5x8xf32>) outs(%165 : tensor<1x5xf32>) {
    ^bb0(%167: f32, %168: f32):
      %169 = arith.maximumf %168, %167 : f32
      linalg.yield %169 : f32
    } -> tensor<1x5xf32>
    %170 = tensor.empty() : tensor<1x5x8xf32>
    %shifted = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits, %166 : tensor<1x5x8xf32>, tensor<1x5xf32>) outs(%170 : tensor<1x5x8xf32>) {
    ^bb0(%171: f32, %172: f32, %173: f32):
      %174 = arith.subf %171, %172 : f32
      linalg.yield %174 : f32
    } -> tensor<1x5x8xf32>
    %175 = tensor.empty() : tensor<1x5x8xf32>
    %176 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%shifted : tensor<1x5x8xf32>) outs(%175 : tensor<1x5x8xf32>) {
    ^bb0(%177: f32, %178: f32):
      %179 = func.call @kina.exp.f32(%177) : (f32) -> f32
      linalg.yield %179 : f32
    } -> tensor<1x5x8xf32>
    %180 = tensor.empty() : tensor<1x5xf32>
    %181 = linalg.fill ins(%9 : f32) outs(%180 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %182 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%176 : tensor<1x5x8xf32>) outs(%181 : tensor<1x5xf32>) {
    ^bb0(%183: f32, %184: f32):
      %185 = arith.addf %184, %183 fastmath<reassoc> : f32
      linalg.yield %185 : f32
    } -> tensor<1x5xf32>
    %186 = tensor.empty() : tensor<1x5xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%182 : tensor<1x5xf32>) outs(%186 : tensor<1x5xf32>) {
    ^bb0(%187: f32, %188: f32):
      %189 = func.call @kina.log.f32(%187) : (f32) -> f32
      linalg.yield %189 : f32
    } -> tensor<1x5xf32>
    %190 = tensor.empty() : tensor<1x5x8xi8>
    %follows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%next_ids : tensor<1x5xi64>) outs(%190 : tensor<1x5x8xi8>) {
    ^bb0(%191: i64, %192: i8):
      %193 = linalg.index 2 : index
      %194 = arith.index_cast %193 : index to i64
      %195 = arith.cmpi eq, %194, %191 : i64
      %196 = arith.extui %195 : i1 to i8
      linalg.yield %196 : i8
    } -> tensor<1x5x8xi8>
    %197 = tensor.empty() : tensor<1x5x8xf32>
    %198 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%follows, %shifted : tensor<1x5x8xi8>, tensor<1x5x8xf32>) outs(%197 : tensor<1x5x8xf32>) {
    ^bb0(%199: i8, %200: f32, %201: f32):
      %202 = arith.constant 0 : i8
      %203 = arith.cmpi ne, %199, %202 : i8
      %204 = arith.constant 0.000000e+00 : f32
      %205 = arith.select %203, %200, %204 : f32
      linalg.yield %205 : f32
    } -> tensor<1x5x8xf32>
    %206 = tensor.empty() : tensor<1x5xf32>
    %207 = linalg.fill ins(%9 : f32) outs(%206 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %chosen = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%198 : tensor<1x5x8xf32>) outs(%207 : tensor<1x5xf32>) {
    ^bb0(%208: f32, %209: f32):
      %210 = arith.addf %209, %208 fastmath<reassoc> : f32
      linalg.yield %210 : f32
    } -> tensor<1x5xf32>
    %211 = tensor.empty() : tensor<1x5xf32>
    %212 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total, %chosen : tensor<1x5xf32>, tensor<1x5xf32>) outs(%211 : tensor<1x5xf32>) {
    ^bb0(%213: f32, %214: f32, %215: f32):
      %216 = arith.subf %213, %214 : f32
      linalg.yield %216 : f32
    } -> tensor<1x5xf32>
    %217 = tensor.empty() : tensor<f32>
    %218 = linalg.fill ins(%9 : f32) outs(%217 : tensor<f32>) -> tensor<f32>
    %219 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%212 : tensor<1x5xf32>) outs(%218 : tensor<f32>) {
    ^bb0(%220: f32, %221: f32):
      %222 = arith.addf %221, %220 fastmath<reassoc> : f32
      linalg.yield %222 : f32
    } -> tensor<f32>
    %223 = tensor.extract %219[] : tensor<f32>
    %224 = arith.divf %223, %11 : f32
    %225 = arith.sitofp %12 : i64 to f32
    %226 = arith.divf %13, %225 : f32
    %227 = tensor.empty() : tensor<1x5xf32>
    %228 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%227 : tensor<1x5xf32>) {
    ^bb0(%229: f32):
      %230 = arith.negf %226 : f32
      linalg.yield %230 : f32
    } -> tensor<1x5xf32>
    %231 = tensor.empty() : tensor<1x5x8xf32>
    %232 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%follows, %228 : tensor<1x5x8xi8>, tensor<1x5xf32>) outs(%231 : tensor<1x5x8xf32>) {
    ^bb0(%233: i8, %234: f32, %235: f32):
      %236 = arith.constant 0 : i8
      %237 = arith.cmpi ne, %233, %236 : i8
      %238 = arith.constant 0.000000e+00 : f32
      %239 = arith.select %237, %234, %238 : f32
      linalg.yield %239 : f32
    } -> tensor<1x5x8xf32>
    %240 = tensor.empty() : tensor<1x5xf32>
    %241 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%182 : tensor<1x5xf32>) outs(%240 : tensor<1x5xf32>) {
    ^bb0(%242: f32, %243: f32):
      %244 = arith.divf %226, %242 : f32
      linalg.yield %244 : f32
    } -> tensor<1x5xf32>
    %245 = tensor.empty() : tensor<1x5x8xf32>
    %246 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%241, %176 : tensor<1x5xf32>, tensor<1x5x8xf32>) outs(%245 : tensor<1x5x8xf32>) {
    ^bb0(%247: f32, %248: f32, %249: f32):
      %250 = arith.mulf %247, %248 : f32
      linalg.yield %250 : f32
    } -> tensor<1x5x8xf32>
    %251 = tensor.empty() : tensor<1x5x8xf32>
    %252 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%232, %246 : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%251 : tensor<1x5x8xf32>) {
    ^bb0(%253: f32, %254: f32, %255: f32):
      %256 = arith.addf %253, %254 : f32
      linalg.yield %256 : f32
    } -> tensor<1x5x8xf32>
    %257 = tensor.empty() : tensor<1x5x8xf32>
    %258 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252 : tensor<1x5x8xf32>) outs(%257 : tensor<1x5x8xf32>) {
    ^bb0(%259: f32, %260: f32):
      %261 = arith.negf %259 : f32
      linalg.yield %261 : f32
    } -> tensor<1x5x8xf32>
    %262 = tensor.empty() : tensor<1x5xf32>
    %263 = linalg.fill ins(%9 : f32) outs(%262 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %264 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%258 : tensor<1x5x8xf32>) outs(%263 : tensor<1x5xf32>) {
    ^bb0(%265: f32, %266: f32):
      %267 = arith.addf %266, %265 fastmath<reassoc> : f32
      linalg.yield %267 : f32
    } -> tensor<1x5xf32>
    %268 = tensor.empty() : tensor<1x5x8xi8>
    %269 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits, %166 : tensor<1x5x8xf32>, tensor<1x5xf32>) outs(%268 : tensor<1x5x8xi8>) {
    ^bb0(%270: f32, %271: f32, %272: i8):
      %273 = arith.cmpf oeq, %270, %271 : f32
      %274 = arith.extui %273 : i1 to i8
      linalg.yield %274 : i8
    } -> tensor<1x5x8xi8>
    %275 = tensor.empty() : tensor<1x5x8xi8>
    %276 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits : tensor<1x5x8xf32>) outs(%275 : tensor<1x5x8xi8>) {
    ^bb0(%277: f32, %278: i8):
      %279 = arith.cmpf une, %277, %277 : f32
      %280 = arith.extui %279 : i1 to i8
      linalg.yield %280 : i8
    } -> tensor<1x5x8xi8>
    %281 = tensor.empty() : tensor<1x5x8xi8>
    %282 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%269, %276 : tensor<1x5x8xi8>, tensor<1x5x8xi8>) outs(%281 : tensor<1x5x8xi8>) {
    ^bb0(%283: i8, %284: i8, %285: i8):
      %286 = arith.constant 0 : i8
      %287 = arith.cmpi ne, %283, %286 : i8
      %288 = arith.cmpi ne, %284, %286 : i8
      %289 = arith.ori %287, %288 : i1
      %290 = arith.extui %289 : i1 to i8
      linalg.yield %290 : i8
    } -> tensor<1x5x8xi8>
    %291 = tensor.empty() : tensor<1x5x8xi64>
    %292 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<1x5x8xi8>) outs(%291 : tensor<1x5x8xi64>) {
    ^bb0(%293: i8, %294: i64):
      %295 = arith.constant 0 : i8
      %296 = arith.cmpi ne, %293, %295 : i8
      %297 = linalg.index 2 : index
      %298 = arith.index_cast %297 : index to i64
      %299 = arith.constant 8 : i64
      %300 = arith.select %296, %298, %299 : i64
      linalg.yield %300 : i64
    } -> tensor<1x5x8xi64>
    %301 = tensor.empty() : tensor<1x5xi64>
    %302 = linalg.fill ins(%14 : i64) outs(%301 : tensor<1x5xi64>) -> tensor<1x5xi64>
    %303 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%292 : tensor<1x5x8xi64>) outs(%302 : tensor<1x5xi64>) {
    ^bb0(%304: i64, %305: i64):
      %306 = arith.minsi %305, %304 : i64
      linalg.yield %306 : i64
    } -> tensor<1x5xi64>
    %307 = tensor.empty() : tensor<1x5x8xi8>
    %308 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%303 : tensor<1x5xi64>) outs(%307 : tensor<1x5x8xi8>) {
    ^bb0(%309: i64, %310: i8):
      %311 = linalg.index 2 : index
      %312 = arith.index_cast %311 : index to i64
      %313 = arith.cmpi eq, %312, %309 : i64
      %314 = arith.extui %313 : i1 to i8
      linalg.yield %314 : i8
    } -> tensor<1x5x8xi8>
    %315 = tensor.empty() : tensor<1x5x8xf32>
    %316 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%308, %264 : tensor<1x5x8xi8>, tensor<1x5xf32>) outs(%315 : tensor<1x5x8xf32>) {
    ^bb0(%317: i8, %318: f32, %319: f32):
      %320 = arith.constant 0 : i8
      %321 = arith.cmpi ne, %317, %320 : i8
      %322 = arith.constant 0.000000e+00 : f32
      %323 = arith.select %321, %318, %322 : f32
      linalg.yield %323 : f32
    } -> tensor<1x5x8xf32>
    %324 = tensor.empty() : tensor<1x5x8xf32>
    %325 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252, %316 : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%324 : tensor<1x5x8xf32>) {
    ^bb0(%326: f32, %327: f32, %328: f32):
      %329 = arith.addf %326, %327 : f32
      linalg.yield %329 : f32
    } -> tensor<1x5x8xf32>
    %330 = tensor.collapse_shape %325 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x8xf32> into tensor<5x8xf32>
    %331 = tensor.empty() : tensor<5x4xf32>
    %332 = linalg.fill ins(%9 : f32) outs(%331 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %333 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%330, %w_lm_head : tensor<5x8xf32>, tensor<4x8xf32>) outs(%332 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nt_5x4x8_f32"} {
    ^bb0(%334: f32, %335: f32, %336: f32):
      %337 = arith.mulf %334, %335 fastmath<reassoc,contract> : f32
      %338 = arith.addf %336, %337 fastmath<reassoc,contract> : f32
      linalg.yield %338 : f32
    } -> tensor<5x4xf32>
    %339 = tensor.expand_shape %333 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %340 = tensor.collapse_shape %150 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %341 = tensor.empty() : tensor<4x5xf32>
    %342 = linalg.transpose ins(%340:tensor<5x4xf32>) outs(%341:tensor<4x5xf32>) permutation = [1, 0]
    %343 = tensor.collapse_shape %325 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x8xf32> into tensor<5x8xf32>
    %344 = tensor.empty() : tensor<4x8xf32>
    %345 = linalg.fill ins(%9 : f32) outs(%344 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %346 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%342, %343 : tensor<4x5xf32>, tensor<5x8xf32>) outs(%345 : tensor<4x8xf32>) attrs =  {kina.op = "matmul_nn_4x8x5_f32"} {
    ^bb0(%347: f32, %348: f32, %349: f32):
      %350 = arith.mulf %347, %348 fastmath<reassoc,contract> : f32
      %351 = arith.addf %349, %350 fastmath<reassoc,contract> : f32
      linalg.yield %351 : f32
    } -> tensor<4x8xf32>
    %352 = tensor.expand_shape %346 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
    %353 = tensor.empty() : tensor<4x8xf32>
    %354 = linalg.fill ins(%9 : f32) outs(%353 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %355 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%352 : tensor<1x4x8xf32>) outs(%354 : tensor<4x8xf32>) {
    ^bb0(%356: f32, %357: f32):
      %358 = arith.addf %357, %356 fastmath<reassoc> : f32
      linalg.yield %358 : f32
    } -> tensor<4x8xf32>
    %359 = tensor.empty() : tensor<5x4xf32>
    %360 = linalg.fill ins(%9 : f32) outs(%359 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %361 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%333, %w_wo : tensor<5x4xf32>, tensor<4x4xf32>) outs(%360 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nt_5x4x4_f32"} {
    ^bb0(%362: f32, %363: f32, %364: f32):
      %365 = arith.mulf %362, %363 fastmath<reassoc,contract> : f32
      %366 = arith.addf %364, %365 fastmath<reassoc,contract> : f32
      linalg.yield %366 : f32
    } -> tensor<5x4xf32>
    %367 = tensor.collapse_shape %138 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %368 = tensor.empty() : tensor<4x5xf32>
    %369 = linalg.transpose ins(%367:tensor<5x4xf32>) outs(%368:tensor<4x5xf32>) permutation = [1, 0]
    %370 = tensor.empty() : tensor<4x4xf32>
    %371 = linalg.fill ins(%9 : f32) outs(%370 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %372 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%369, %333 : tensor<4x5xf32>, tensor<5x4xf32>) outs(%371 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4x5_f32"} {
    ^bb0(%373: f32, %374: f32, %375: f32):
      %376 = arith.mulf %373, %374 fastmath<reassoc,contract> : f32
      %377 = arith.addf %375, %376 fastmath<reassoc,contract> : f32
      linalg.yield %377 : f32
    } -> tensor<4x4xf32>
    %378 = tensor.expand_shape %372 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %379 = tensor.empty() : tensor<4x4xf32>
    %380 = linalg.fill ins(%9 : f32) outs(%379 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %381 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%378 : tensor<1x4x4xf32>) outs(%380 : tensor<4x4xf32>) {
    ^bb0(%382: f32, %383: f32):
      %384 = arith.addf %383, %382 fastmath<reassoc> : f32
      linalg.yield %384 : f32
    } -> tensor<4x4xf32>
    %385 = tensor.expand_shape %361 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %386 = tensor.empty() : tensor<2x5x2xf32>
    %387 = linalg.transpose ins(%385:tensor<5x2x2xf32>) outs(%386:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %388 = tensor.expand_shape %49 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %389 = tensor.empty() : tensor<2x2x5xf32>
    %390 = linalg.transpose ins(%388:tensor<5x2x2xf32>) outs(%389:tensor<2x2x5xf32>) permutation = [1, 2, 0]
    %391 = tensor.empty() : tensor<2x5x5xf32>
    %392 = linalg.fill ins(%9 : f32) outs(%391 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %393 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%387, %390 : tensor<2x5x2xf32>, tensor<2x2x5xf32>) outs(%392 : tensor<2x5x5xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x5x2_f32"} {
    ^bb0(%394: f32, %395: f32, %396: f32):
      %397 = arith.mulf %394, %395 fastmath<reassoc,contract> : f32
      %398 = arith.addf %396, %397 fastmath<reassoc,contract> : f32
      linalg.yield %398 : f32
    } -> tensor<2x5x5xf32>
    %399 = tensor.expand_shape %393 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %400 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %401 = tensor.empty() : tensor<2x5x5xf32>
    %402 = linalg.transpose ins(%400:tensor<2x5x5xf32>) outs(%401:tensor<2x5x5xf32>) permutation = [0, 2, 1]
    %403 = tensor.expand_shape %361 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %404 = tensor.empty() : tensor<2x5x2xf32>
    %405 = linalg.transpose ins(%403:tensor<5x2x2xf32>) outs(%404:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %406 = tensor.empty() : tensor<2x5x2xf32>
    %407 = linalg.fill ins(%9 : f32) outs(%406 : tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %408 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%402, %405 : tensor<2x5x5xf32>, tensor<2x5x2xf32>) outs(%407 : tensor<2x5x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x2x5_f32"} {
    ^bb0(%409: f32, %410: f32, %411: f32):
      %412 = arith.mulf %409, %410 fastmath<reassoc,contract> : f32
      %413 = arith.addf %411, %412 fastmath<reassoc,contract> : f32
      linalg.yield %413 : f32
    } -> tensor<2x5x2xf32>
    %414 = tensor.empty() : tensor<1x2x5x5xf32>
    %415 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%399, %probs : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%414 : tensor<1x2x5x5xf32>) {
    ^bb0(%416: f32, %417: f32, %418: f32):
      %419 = arith.mulf %416, %417 : f32
      linalg.yield %419 : f32
    } -> tensor<1x2x5x5xf32>
    %420 = tensor.empty() : tensor<1x2x5xf32>
    %421 = linalg.fill ins(%9 : f32) outs(%420 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %422 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%415 : tensor<1x2x5x5xf32>) outs(%421 : tensor<1x2x5xf32>) {
    ^bb0(%423: f32, %424: f32):
      %425 = arith.addf %424, %423 fastmath<reassoc> : f32
      linalg.yield %425 : f32
    } -> tensor<1x2x5xf32>
    %426 = tensor.empty() : tensor<1x2x5x5xf32>
    %427 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%399, %422 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%426 : tensor<1x2x5x5xf32>) {
    ^bb0(%428: f32, %429: f32, %430: f32):
      %431 = arith.subf %428, %429 : f32
      linalg.yield %431 : f32
    } -> tensor<1x2x5x5xf32>
    %432 = tensor.empty() : tensor<1x2x5x5xf32>
    %433 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%probs, %427 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%432 : tensor<1x2x5x5xf32>) {
    ^bb0(%434: f32, %435: f32, %436: f32):
      %437 = arith.mulf %434, %435 : f32
      linalg.yield %437 : f32
    } -> tensor<1x2x5x5xf32>
    %438 = tensor.empty() : tensor<1x2x5x5xf32>
    %439 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %433 : tensor<5x5xi8>, tensor<1x2x5x5xf32>) outs(%438 : tensor<1x2x5x5xf32>) {
    ^bb0(%440: i8, %441: f32, %442: f32):
      %443 = arith.constant 0 : i8
      %444 = arith.cmpi ne, %440, %443 : i8
      %445 = arith.constant 0.000000e+00 : f32
      %446 = arith.select %444, %441, %445 : f32
      linalg.yield %446 : f32
    } -> tensor<1x2x5x5xf32>
    %447 = tensor.empty() : tensor<1x2x5x5xf32>
    %448 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%439 : tensor<1x2x5x5xf32>) outs(%447 : tensor<1x2x5x5xf32>) {
    ^bb0(%449: f32, %450: f32):
      %451 = arith.mulf %449, %w_scale_1 : f32
      linalg.yield %451 : f32
    } -> tensor<1x2x5x5xf32>
    %452 = tensor.empty() : tensor<1x2x5x5xf32>
    %453 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%439, %69 : tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%452 : tensor<1x2x5x5xf32>) {
    ^bb0(%454: f32, %455: f32, %456: f32):
      %457 = arith.mulf %454, %455 : f32
      linalg.yield %457 : f32
    } -> tensor<1x2x5x5xf32>
    %458 = tensor.empty() : tensor<f32>
    %459 = linalg.fill ins(%9 : f32) outs(%458 : tensor<f32>) -> tensor<f32>
    %460 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%453 : tensor<1x2x5x5xf32>) outs(%459 : tensor<f32>) {
    ^bb0(%461: f32, %462: f32):
      %463 = arith.addf %462, %461 fastmath<reassoc> : f32
      linalg.yield %463 : f32
    } -> tensor<f32>
    %464 = tensor.extract %460[] : tensor<f32>
    %465 = tensor.collapse_shape %448 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %466 = tensor.expand_shape %40 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %467 = tensor.empty() : tensor<2x5x2xf32>
    %468 = linalg.transpose ins(%466:tensor<5x2x2xf32>) outs(%467:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %469 = tensor.empty() : tensor<2x5x2xf32>
    %470 = linalg.fill ins(%9 : f32) outs(%469 : tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %471 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%465, %468 : tensor<2x5x5xf32>, tensor<2x5x2xf32>) outs(%470 : tensor<2x5x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x2x5_f32"} {
    ^bb0(%472: f32, %473: f32, %474: f32):
      %475 = arith.mulf %472, %473 fastmath<reassoc,contract> : f32
      %476 = arith.addf %474, %475 fastmath<reassoc,contract> : f32
      linalg.yield %476 : f32
    } -> tensor<2x5x2xf32>
    %477 = tensor.expand_shape %31 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %478 = tensor.empty() : tensor<2x2x5xf32>
    %479 = linalg.transpose ins(%477:tensor<5x2x2xf32>) outs(%478:tensor<2x2x5xf32>) permutation = [1, 2, 0]
    %480 = tensor.collapse_shape %448 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %481 = tensor.empty() : tensor<2x2x5xf32>
    %482 = linalg.fill ins(%9 : f32) outs(%481 : tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %483 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%479, %480 : tensor<2x2x5xf32>, tensor<2x5x5xf32>) outs(%482 : tensor<2x2x5xf32>) attrs =  {kina.op = "batch_matmul_nn_2x2x5x5_f32"} {
    ^bb0(%484: f32, %485: f32, %486: f32):
      %487 = arith.mulf %484, %485 fastmath<reassoc,contract> : f32
      %488 = arith.addf %486, %487 fastmath<reassoc,contract> : f32
      linalg.yield %488 : f32
    } -> tensor<2x2x5xf32>
    %489 = tensor.expand_shape %408 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 2] : tensor<2x5x2xf32> into tensor<1x2x5x2xf32>
    %490 = tensor.empty() : tensor<1x5x2x2xf32>
    %491 = linalg.transpose ins(%489:tensor<1x2x5x2xf32>) outs(%490:tensor<1x5x2x2xf32>) permutation = [0, 2, 1, 3]
    %492 = tensor.collapse_shape %491 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %493 = tensor.empty() : tensor<5x4xf32>
    %494 = linalg.fill ins(%9 : f32) outs(%493 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %495 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%492, %w_wv : tensor<5x4xf32>, tensor<4x4xf32>) outs(%494 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nt_5x4x4_f32"} {
    ^bb0(%496: f32, %497: f32, %498: f32):
      %499 = arith.mulf %496, %497 fastmath<reassoc,contract> : f32
      %500 = arith.addf %498, %499 fastmath<reassoc,contract> : f32
      linalg.yield %500 : f32
    } -> tensor<5x4xf32>
    %501 = tensor.expand_shape %495 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %502 = tensor.empty() : tensor<1x5x4xf32>
    %503 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%339, %501 : tensor<1x5x4xf32>, tensor<1x5x4xf32>) outs(%502 : tensor<1x5x4xf32>) {
    ^bb0(%504: f32, %505: f32, %506: f32):
      %507 = arith.addf %504, %505 : f32
      linalg.yield %507 : f32
    } -> tensor<1x5x4xf32>
    %508 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %509 = tensor.empty() : tensor<4x5xf32>
    %510 = linalg.transpose ins(%508:tensor<5x4xf32>) outs(%509:tensor<4x5xf32>) permutation = [1, 0]
    %511 = tensor.collapse_shape %491 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %512 = tensor.empty() : tensor<4x4xf32>
    %513 = linalg.fill ins(%9 : f32) outs(%512 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %514 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%510, %511 : tensor<4x5xf32>, tensor<5x4xf32>) outs(%513 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4x5_f32"} {
    ^bb0(%515: f32, %516: f32, %517: f32):
      %518 = arith.mulf %515, %516 fastmath<reassoc,contract> : f32
      %519 = arith.addf %517, %518 fastmath<reassoc,contract> : f32
      linalg.yield %519 : f32
    } -> tensor<4x4xf32>
    %520 = tensor.expand_shape %514 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %521 = tensor.empty() : tensor<4x4xf32>
    %522 = linalg.fill ins(%9 : f32) outs(%521 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %523 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%520 : tensor<1x4x4xf32>) outs(%522 : tensor<4x4xf32>) {
    ^bb0(%524: f32, %525: f32):
      %526 = arith.addf %525, %524 fastmath<reassoc> : f32
      linalg.yield %526 : f32
    } -> tensor<4x4xf32>
    %527 = tensor.expand_shape %483 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 2, 5] : tensor<2x2x5xf32> into tensor<1x2x2x5xf32>
    %528 = tensor.empty() : tensor<1x5x2x2xf32>
    %529 = linalg.transpose ins(%527:tensor<1x2x2x5xf32>) outs(%528:tensor<1x5x2x2xf32>) permutation = [0, 3, 1, 2]
    %530 = tensor.collapse_shape %529 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %531 = tensor.empty() : tensor<5x4xf32>
    %532 = linalg.fill ins(%9 : f32) outs(%531 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %533 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%530, %w_wk : tensor<5x4xf32>, tensor<4x4xf32>) outs(%532 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nt_5x4x4_f32"} {
    ^bb0(%534: f32, %535: f32, %536: f32):
      %537 = arith.mulf %534, %535 fastmath<reassoc,contract> : f32
      %538 = arith.addf %536, %537 fastmath<reassoc,contract> : f32
      linalg.yield %538 : f32
    } -> tensor<5x4xf32>
    %539 = tensor.expand_shape %533 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %540 = tensor.empty() : tensor<1x5x4xf32>
    %541 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%503, %539 : tensor<1x5x4xf32>, tensor<1x5x4xf32>) outs(%540 : tensor<1x5x4xf32>) {
    ^bb0(%542: f32, %543: f32, %544: f32):
      %545 = arith.addf %542, %543 : f32
      linalg.yield %545 : f32
    } -> tensor<1x5x4xf32>
    %546 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %547 = tensor.empty() : tensor<4x5xf32>
    %548 = linalg.transpose ins(%546:tensor<5x4xf32>) outs(%547:tensor<4x5xf32>) permutation = [1, 0]
    %549 = tensor.collapse_shape %529 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %550 = tensor.empty() : tensor<4x4xf32>
    %551 = linalg.fill ins(%9 : f32) outs(%550 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %552 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%548, %549 : tensor<4x5xf32>, tensor<5x4xf32>) outs(%551 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4x5_f32"} {
    ^bb0(%553: f32, %554: f32, %555: f32):
      %556 = arith.mulf %553, %554 fastmath<reassoc,contract> : f32
      %557 = arith.addf %555, %556 fastmath<reassoc,contract> : f32
      linalg.yield %557 : f32
    } -> tensor<4x4xf32>
    %558 = tensor.expand_shape %552 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %559 = tensor.empty() : tensor<4x4xf32>
    %560 = linalg.fill ins(%9 : f32) outs(%559 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %561 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%558 : tensor<1x4x4xf32>) outs(%560 : tensor<4x4xf32>) {
    ^bb0(%562: f32, %563: f32):
      %564 = arith.addf %563, %562 fastmath<reassoc> : f32
      linalg.yield %564 : f32
    } -> tensor<4x4xf32>
    %565 = tensor.expand_shape %471 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 2] : tensor<2x5x2xf32> into tensor<1x2x5x2xf32>
    %566 = tensor.empty() : tensor<1x5x2x2xf32>
    %567 = linalg.transpose ins(%565:tensor<1x2x5x2xf32>) outs(%566:tensor<1x5x2x2xf32>) permutation = [0, 2, 1, 3]
    %568 = tensor.collapse_shape %567 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %569 = tensor.empty() : tensor<5x4xf32>
    %570 = linalg.fill ins(%9 : f32) outs(%569 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %571 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%568, %w_wq : tensor<5x4xf32>, tensor<4x4xf32>) outs(%570 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nt_5x4x4_f32"} {
    ^bb0(%572: f32, %573: f32, %574: f32):
      %575 = arith.mulf %572, %573 fastmath<reassoc,contract> : f32
      %576 = arith.addf %574, %575 fastmath<reassoc,contract> : f32
      linalg.yield %576 : f32
    } -> tensor<5x4xf32>
    %577 = tensor.expand_shape %571 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %578 = tensor.empty() : tensor<1x5x4xf32>
    %579 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%541, %577 : tensor<1x5x4xf32>, tensor<1x5x4xf32>) outs(%578 : tensor<1x5x4xf32>) {
    ^bb0(%580: f32, %581: f32, %582: f32):
      %583 = arith.addf %580, %581 : f32
      linalg.yield %583 : f32
    } -> tensor<1x5x4xf32>
    %584 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %585 = tensor.empty() : tensor<4x5xf32>
    %586 = linalg.transpose ins(%584:tensor<5x4xf32>) outs(%585:tensor<4x5xf32>) permutation = [1, 0]
    %587 = tensor.collapse_shape %567 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %588 = tensor.empty() : tensor<4x4xf32>
    %589 = linalg.fill ins(%9 : f32) outs(%588 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %590 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%586, %587 : tensor<4x5xf32>, tensor<5x4xf32>) outs(%589 : tensor<4x4xf32>) attrs =  {kina.op = "matmul_nn_4x4x5_f32"} {
    ^bb0(%591: f32, %592: f32, %593: f32):
      %594 = arith.mulf %591, %592 fastmath<reassoc,contract> : f32
      %595 = arith.addf %593, %594 fastmath<reassoc,contract> : f32
      linalg.yield %595 : f32
    } -> tensor<4x4xf32>
    %596 = tensor.expand_shape %590 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 4, 4] : tensor<4x4xf32> into tensor<1x4x4xf32>
    %597 = tensor.empty() : tensor<4x4xf32>
    %598 = linalg.fill ins(%9 : f32) outs(%597 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %599 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%596 : tensor<1x4x4xf32>) outs(%598 : tensor<4x4xf32>) {
    ^bb0(%600: f32, %601: f32):
      %602 = arith.addf %601, %600 fastmath<reassoc> : f32
      linalg.yield %602 : f32
    } -> tensor<4x4xf32>
    %603 = tensor.collapse_shape %token_ids [[0 : i64, 1 : i64]] : tensor<1x5xi64> into tensor<5xi64>
    %604 = tensor.collapse_shape %579 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %605 = tensor.empty() : tensor<8x4xf32>
    %606 = linalg.fill ins(%9 : f32) outs(%605 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %607 = scf.for %608 = %8 to %15 step %16 iter_args(%609 = %606) -> (tensor<8x4xf32>) {
      %610 = tensor.extract %603[%608] : tensor<5xi64>
      %611 = tensor.extract_slice %604[%608, 0] [1, 4] [1, 1] : tensor<5x4xf32> to tensor<1x4xf32>
      %612 = arith.index_cast %610 : i64 to index
      %613 = arith.minsi %612, %17 : index
      %614 = arith.maxsi %613, %8 : index
      %615 = tensor.extract_slice %609[%614, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
      %616 = tensor.empty() : tensor<1x4xf32>
      %617 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%615, %611 : tensor<1x4xf32>, tensor<1x4xf32>) outs(%616 : tensor<1x4xf32>) {
      ^bb0(%618: f32, %619: f32, %620: f32):
        %621 = arith.addf %618, %619 : f32
        linalg.yield %621 : f32
      } -> tensor<1x4xf32>
      %622 = arith.minsi %612, %17 : index
      %623 = arith.maxsi %622, %8 : index
      %624 = tensor.insert_slice %617 into %609[%623, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
      scf.yield %624 : tensor<8x4xf32>
    }
    %625 = linalg.fill ins(%224 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %626 = bufferization.materialize_in_destination %607 in %1 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %627 = bufferization.materialize_in_destination %599 in %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %628 = bufferization.materialize_in_destination %561 in %3 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %629 = bufferization.materialize_in_destination %523 in %4 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %630 = bufferization.materialize_in_destination %381 in %5 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %631 = bufferization.materialize_in_destination %355 in %6 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %632 = linalg.fill ins(%464 : f32) outs(%7 : tensor<f32>) -> tensor<f32>
    func.return %625, %626, %627, %628, %629, %630, %631, %632 : tensor<f32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<f32>
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
