builtin.module {
  func.func @loss_5(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x5xi64> {bufferization.writable = false}, %next_ids: tensor<1x5xi64> {bufferization.writable = false}, %0: tensor<f32> {bufferization.writable = true}) -> tensor<f32> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0.000000e+00 : f32
    %2 = arith.constant 0xff800000 : f32
    %3 = arith.constant 5.000000e+00 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %4 = tensor.empty() : tensor<1x5x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x5xi64>) outs(%4 : tensor<1x5x4xf32>) {
    ^bb0(%5: i64, %6: f32):
      %7 = arith.index_cast %5 : i64 to index
      %8 = arith.constant 7 : index
      %9 = arith.minsi %7, %8 : index
      %10 = arith.constant 0 : index
      %11 = arith.maxsi %9, %10 : index
      %12 = linalg.index 2 : index
      %13 = tensor.extract %w_embed[%11, %12] : tensor<8x4xf32>
      linalg.yield %13 : f32
    } -> tensor<1x5x4xf32>
    %14 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %15 = tensor.empty() : tensor<5x4xf32>
    %16 = linalg.fill ins(%1 : f32) outs(%15 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14, %w_wq : tensor<5x4xf32>, tensor<4x4xf32>) outs(%16 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%18: f32, %19: f32, %20: f32):
      %21 = arith.mulf %18, %19 fastmath<reassoc,contract> : f32
      %22 = arith.addf %20, %21 fastmath<reassoc,contract> : f32
      linalg.yield %22 : f32
    } -> tensor<5x4xf32>
    %23 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %24 = tensor.empty() : tensor<5x4xf32>
    %25 = linalg.fill ins(%1 : f32) outs(%24 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23, %w_wk : tensor<5x4xf32>, tensor<4x4xf32>) outs(%25 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%27: f32, %28: f32, %29: f32):
      %30 = arith.mulf %27, %28 fastmath<reassoc,contract> : f32
      %31 = arith.addf %29, %30 fastmath<reassoc,contract> : f32
      linalg.yield %31 : f32
    } -> tensor<5x4xf32>
    %32 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %33 = tensor.empty() : tensor<5x4xf32>
    %34 = linalg.fill ins(%1 : f32) outs(%33 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32, %w_wv : tensor<5x4xf32>, tensor<4x4xf32>) outs(%34 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%36: f32, %37: f32, %38: f32):
      %39 = arith.mulf %36, %37 fastmath<reassoc,contract> : f32
      %40 = arith.addf %38, %39 fastmath<reassoc,contract> : f32
      linalg.yield %40 : f32
    } -> tensor<5x4xf32>
    %41 = tensor.expand_shape %17 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %42 = tensor.empty() : tensor<2x5x2xf32>
    %43 = linalg.transpose ins(%41:tensor<5x2x2xf32>) outs(%42:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %44 = tensor.expand_shape %26 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %45 = tensor.empty() : tensor<2x2x5xf32>
    %46 = linalg.transpose ins(%44:tensor<5x2x2xf32>) outs(%45:tensor<2x2x5xf32>) permutation = [1, 2, 0]
    %47 = tensor.empty() : tensor<2x5x5xf32>
    %48 = linalg.fill ins(%1 : f32) outs(%47 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43, %46 : tensor<2x5x2xf32>, tensor<2x2x5xf32>) outs(%48 : tensor<2x5x5xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x5x2_f32"} {
    ^bb0(%50: f32, %51: f32, %52: f32):
      %53 = arith.mulf %50, %51 fastmath<reassoc,contract> : f32
      %54 = arith.addf %52, %53 fastmath<reassoc,contract> : f32
      linalg.yield %54 : f32
    } -> tensor<2x5x5xf32>
    %55 = tensor.expand_shape %49 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %56 = tensor.empty() : tensor<1x2x5x5xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x5x5xf32>) outs(%56 : tensor<1x2x5x5xf32>) {
    ^bb0(%57: f32, %58: f32):
      %59 = arith.mulf %57, %w_scale_1 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x5x5xf32>
    %60 = tensor.empty() : tensor<5x5xi8>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%60 : tensor<5x5xi8>) {
    ^bb0(%62: i8):
      %63 = linalg.index 1 : index
      %64 = arith.index_cast %63 : index to i64
      %65 = linalg.index 0 : index
      %66 = arith.index_cast %65 : index to i64
      %67 = arith.cmpi sle, %64, %66 : i64
      %68 = arith.extui %67 : i1 to i8
      linalg.yield %68 : i8
    } -> tensor<5x5xi8>
    %69 = tensor.empty() : tensor<1x2x5x5xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %scores : tensor<5x5xi8>, tensor<1x2x5x5xf32>) outs(%69 : tensor<1x2x5x5xf32>) {
    ^bb0(%71: i8, %72: f32, %73: f32):
      %74 = arith.constant 0 : i8
      %75 = arith.cmpi ne, %71, %74 : i8
      %76 = arith.constant 0xff800000 : f32
      %77 = arith.select %75, %72, %76 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x5x5xf32>
    %78 = tensor.empty() : tensor<1x2x5xf32>
    %79 = linalg.fill ins(%2 : f32) outs(%78 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %80 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x5x5xf32>) outs(%79 : tensor<1x2x5xf32>) {
    ^bb0(%81: f32, %82: f32):
      %83 = arith.maximumf %82, %81 : f32
      linalg.yield %83 : f32
    } -> tensor<1x2x5xf32>
    %84 = tensor.empty() : tensor<1x2x5x5xf32>
    %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %80 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%84 : tensor<1x2x5x5xf32>) {
    ^bb0(%86: f32, %87: f32, %88: f32):
      %89 = arith.constant 0xff800000 : f32
      %90 = arith.cmpf oeq, %87, %89 : f32
      %91 = arith.constant 0.000000e+00 : f32
      %92 = arith.select %90, %91, %87 : f32
      %93 = arith.subf %86, %92 : f32
      %94 = func.call @kina.exp.f32(%93) : (f32) -> f32
      linalg.yield %94 : f32
    } -> tensor<1x2x5x5xf32>
    %95 = tensor.empty() : tensor<1x2x5xf32>
    %96 = linalg.fill ins(%1 : f32) outs(%95 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%85 : tensor<1x2x5x5xf32>) outs(%96 : tensor<1x2x5xf32>) {
    ^bb0(%98: f32, %99: f32):
      %100 = arith.addf %99, %98 fastmath<reassoc> : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x5xf32>
    %101 = tensor.empty() : tensor<1x2x5x5xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %97 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%101 : tensor<1x2x5x5xf32>) {
    ^bb0(%102: f32, %103: f32, %104: f32):
      %105 = arith.constant 0.000000e+00 : f32
      %106 = arith.cmpf oeq, %103, %105 : f32
      %107 = arith.constant 1.000000e+00 : f32
      %108 = arith.select %106, %107, %103 : f32
      %109 = arith.divf %102, %108 : f32
      linalg.yield %109 : f32
    } -> tensor<1x2x5x5xf32>
    %110 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %111 = tensor.expand_shape %35 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %112 = tensor.empty() : tensor<2x5x2xf32>
    %113 = linalg.transpose ins(%111:tensor<5x2x2xf32>) outs(%112:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %114 = tensor.empty() : tensor<2x5x2xf32>
    %115 = linalg.fill ins(%1 : f32) outs(%114 : tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %116 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110, %113 : tensor<2x5x5xf32>, tensor<2x5x2xf32>) outs(%115 : tensor<2x5x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x2x5_f32"} {
    ^bb0(%117: f32, %118: f32, %119: f32):
      %120 = arith.mulf %117, %118 fastmath<reassoc,contract> : f32
      %121 = arith.addf %119, %120 fastmath<reassoc,contract> : f32
      linalg.yield %121 : f32
    } -> tensor<2x5x2xf32>
    %122 = tensor.expand_shape %116 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 2] : tensor<2x5x2xf32> into tensor<1x2x5x2xf32>
    %123 = tensor.empty() : tensor<1x5x2x2xf32>
    %124 = linalg.transpose ins(%122:tensor<1x2x5x2xf32>) outs(%123:tensor<1x5x2x2xf32>) permutation = [0, 2, 1, 3]
    %125 = tensor.collapse_shape %124 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %126 = tensor.empty() : tensor<5x4xf32>
    %127 = linalg.fill ins(%1 : f32) outs(%126 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %128 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125, %w_wo : tensor<5x4xf32>, tensor<4x4xf32>) outs(%127 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%129: f32, %130: f32, %131: f32):
      %132 = arith.mulf %129, %130 fastmath<reassoc,contract> : f32
      %133 = arith.addf %131, %132 fastmath<reassoc,contract> : f32
      linalg.yield %133 : f32
    } -> tensor<5x4xf32>
    %134 = tensor.expand_shape %128 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %135 = tensor.empty() : tensor<1x5x4xf32>
    %136 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %134 : tensor<1x5x4xf32>, tensor<1x5x4xf32>) outs(%135 : tensor<1x5x4xf32>) {
    ^bb0(%137: f32, %138: f32, %139: f32):
      %140 = arith.addf %137, %138 : f32
      linalg.yield %140 : f32
    } -> tensor<1x5x4xf32>
    %141 = tensor.collapse_shape %136 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %142 = tensor.empty() : tensor<5x8xf32>
    %143 = linalg.fill ins(%1 : f32) outs(%142 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %144 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141, %w_lm_head : tensor<5x4xf32>, tensor<4x8xf32>) outs(%143 : tensor<5x8xf32>) attrs =  {kina.op = "matmul_nn_5x8x4_f32"} {
    ^bb0(%145: f32, %146: f32, %147: f32):
      %148 = arith.mulf %145, %146 fastmath<reassoc,contract> : f32
      %149 = arith.addf %147, %148 fastmath<reassoc,contract> : f32
      linalg.yield %149 : f32
    } -> tensor<5x8xf32>
    %logits = tensor.expand_shape %144 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 8] : tensor<5x8xf32> into tensor<1x5x8xf32>
    %150 = tensor.empty() : tensor<1x5xf32>
    %151 = linalg.fill ins(%2 : f32) outs(%150 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits : tensor<1x5x8xf32>) outs(%151 : tensor<1x5xf32>) {
    ^bb0(%153: f32, %154: f32):
      %155 = arith.maximumf %154, %153 : f32
      linalg.yield %155 : f32
    } -> tensor<1x5xf32>
    %156 = tensor.empty() : tensor<1x5x8xf32>
    %shifted = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits, %152 : tensor<1x5x8xf32>, tensor<1x5xf32>) outs(%156 : tensor<1x5x8xf32>) {
    ^bb0(%157: f32, %158: f32, %159: f32):
      %160 = arith.subf %157, %158 : f32
      linalg.yield %160 : f32
    } -> tensor<1x5x8xf32>
    %161 = tensor.empty() : tensor<1x5x8xf32>
    %162 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%shifted : tensor<1x5x8xf32>) outs(%161 : tensor<1x5x8xf32>) {
    ^bb0(%163: f32, %164: f32):
      %165 = func.call @kina.exp.f32(%163) : (f32) -> f32
      linalg.yield %165 : f32
    } -> tensor<1x5x8xf32>
    %166 = tensor.empty() : tensor<1x5xf32>
    %167 = linalg.fill ins(%1 : f32) outs(%166 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %168 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%162 : tensor<1x5x8xf32>) outs(%167 : tensor<1x5xf32>) {
    ^bb0(%169: f32, %170: f32):
      %171 = arith.addf %170, %169 fastmath<reassoc> : f32
      linalg.yield %171 : f32
    } -> tensor<1x5xf32>
    %172 = tensor.empty() : tensor<1x5xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%168 : tensor<1x5xf32>) outs(%172 : tensor<1x5xf32>) {
    ^bb0(%173: f32, %174: f32):
      %175 = func.call @kina.log.f32(%173) : (f32) -> f32
      linalg.yield %175 : f32
    } -> tensor<1x5xf32>
    %176 = tensor.empty() : tensor<1x5x8xi8>
    %follows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%next_ids : tensor<1x5xi64>) outs(%176 : tensor<1x5x8xi8>) {
    ^bb0(%177: i64, %178: i8):
      %179 = linalg.index 2 : index
      %180 = arith.index_cast %179 : index to i64
      %181 = arith.cmpi eq, %180, %177 : i64
      %182 = arith.extui %181 : i1 to i8
      linalg.yield %182 : i8
    } -> tensor<1x5x8xi8>
    %183 = tensor.empty() : tensor<1x5x8xf32>
    %184 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%follows, %shifted : tensor<1x5x8xi8>, tensor<1x5x8xf32>) outs(%183 : tensor<1x5x8xf32>) {
    ^bb0(%185: i8, %186: f32, %187: f32):
      %188 = arith.constant 0 : i8
      %189 = arith.cmpi ne, %185, %188 : i8
      %190 = arith.constant 0.000000e+00 : f32
      %191 = arith.select %189, %186, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<1x5x8xf32>
    %192 = tensor.empty() : tensor<1x5xf32>
    %193 = linalg.fill ins(%1 : f32) outs(%192 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %chosen = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%184 : tensor<1x5x8xf32>) outs(%193 : tensor<1x5xf32>) {
    ^bb0(%194: f32, %195: f32):
      %196 = arith.addf %195, %194 fastmath<reassoc> : f32
      linalg.yield %196 : f32
    } -> tensor<1x5xf32>
    %197 = tensor.empty() : tensor<1x5xf32>
    %198 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%total, %chosen : tensor<1x5xf32>, tensor<1x5xf32>) outs(%197 : tensor<1x5xf32>) {
    ^bb0(%199: f32, %200: f32, %201: f32):
      %202 = arith.subf %199, %200 : f32
      linalg.yield %202 : f32
    } -> tensor<1x5xf32>
    %203 = tensor.empty() : tensor<f32>
    %204 = linalg.fill ins(%1 : f32) outs(%203 : tensor<f32>) -> tensor<f32>
    %205 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%198 : tensor<1x5xf32>) outs(%204 : tensor<f32>) {
    ^bb0(%206: f32, %207: f32):
      %208 = arith.addf %207, %206 fastmath<reassoc> : f32
      linalg.yield %208 : f32
    } -> tensor<f32>
    %209 = tensor.extract %205[] : tensor<f32>
    %210 = arith.divf %209, %3 : f32
    %211 = linalg.fill ins(%210 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    func.return %211 : tensor<f32>
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
