builtin.module {
  func.func @forward_2(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x2xi64> {bufferization.writable = false}, %0: tensor<1x2x8xf32> {bufferization.writable = true}) -> tensor<1x2x8xf32> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0.000000e+00 : f32
    %2 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %3 = tensor.empty() : tensor<1x2x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x2xi64>) outs(%3 : tensor<1x2x4xf32>) {
    ^bb0(%4: i64, %5: f32):
      %6 = arith.index_cast %4 : i64 to index
      %7 = arith.constant 7 : index
      %8 = arith.minsi %6, %7 : index
      %9 = arith.constant 0 : index
      %10 = arith.maxsi %8, %9 : index
      %11 = linalg.index 2 : index
      %12 = tensor.extract %w_embed[%10, %11] : tensor<8x4xf32>
      linalg.yield %12 : f32
    } -> tensor<1x2x4xf32>
    %13 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %14 = tensor.empty() : tensor<2x4xf32>
    %15 = linalg.fill ins(%1 : f32) outs(%14 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13, %w_wq : tensor<2x4xf32>, tensor<4x4xf32>) outs(%15 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%17: f32, %18: f32, %19: f32):
      %20 = arith.mulf %17, %18 fastmath<reassoc,contract> : f32
      %21 = arith.addf %19, %20 fastmath<reassoc,contract> : f32
      linalg.yield %21 : f32
    } -> tensor<2x4xf32>
    %22 = tensor.expand_shape %16 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %23 = tensor.expand_shape %22 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 2] : tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
    %24 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %25 = tensor.empty() : tensor<2x4xf32>
    %26 = linalg.fill ins(%1 : f32) outs(%25 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%24, %w_wk : tensor<2x4xf32>, tensor<4x4xf32>) outs(%26 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%28: f32, %29: f32, %30: f32):
      %31 = arith.mulf %28, %29 fastmath<reassoc,contract> : f32
      %32 = arith.addf %30, %31 fastmath<reassoc,contract> : f32
      linalg.yield %32 : f32
    } -> tensor<2x4xf32>
    %33 = tensor.expand_shape %27 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %34 = tensor.expand_shape %33 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 2] : tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
    %35 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %36 = tensor.empty() : tensor<2x4xf32>
    %37 = linalg.fill ins(%1 : f32) outs(%36 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35, %w_wv : tensor<2x4xf32>, tensor<4x4xf32>) outs(%37 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%39: f32, %40: f32, %41: f32):
      %42 = arith.mulf %39, %40 fastmath<reassoc,contract> : f32
      %43 = arith.addf %41, %42 fastmath<reassoc,contract> : f32
      linalg.yield %43 : f32
    } -> tensor<2x4xf32>
    %44 = tensor.expand_shape %38 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %45 = tensor.expand_shape %44 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 2] : tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
    %46 = tensor.collapse_shape %23 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %47 = tensor.empty() : tensor<2x2x2xf32>
    %48 = linalg.transpose ins(%46:tensor<2x2x2xf32>) outs(%47:tensor<2x2x2xf32>) permutation = [1, 0, 2]
    %49 = tensor.collapse_shape %34 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %50 = tensor.empty() : tensor<2x2x2xf32>
    %51 = linalg.transpose ins(%49:tensor<2x2x2xf32>) outs(%50:tensor<2x2x2xf32>) permutation = [1, 2, 0]
    %52 = tensor.empty() : tensor<2x2x2xf32>
    %53 = linalg.fill ins(%1 : f32) outs(%52 : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48, %51 : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%53 : tensor<2x2x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x2x2x2_f32"} {
    ^bb0(%55: f32, %56: f32, %57: f32):
      %58 = arith.mulf %55, %56 fastmath<reassoc,contract> : f32
      %59 = arith.addf %57, %58 fastmath<reassoc,contract> : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x2xf32>
    %60 = tensor.expand_shape %54 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 2, 2] : tensor<2x2x2xf32> into tensor<1x2x2x2xf32>
    %61 = tensor.empty() : tensor<1x2x2x2xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x2x2x2xf32>) outs(%61 : tensor<1x2x2x2xf32>) {
    ^bb0(%62: f32, %63: f32):
      %64 = arith.mulf %62, %w_scale_1 : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x2x2xf32>
    %65 = tensor.empty() : tensor<2x2xi8>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%65 : tensor<2x2xi8>) {
    ^bb0(%67: i8):
      %68 = linalg.index 1 : index
      %69 = arith.index_cast %68 : index to i64
      %70 = linalg.index 0 : index
      %71 = arith.index_cast %70 : index to i64
      %72 = arith.cmpi sle, %69, %71 : i64
      %73 = arith.extui %72 : i1 to i8
      linalg.yield %73 : i8
    } -> tensor<2x2xi8>
    %74 = tensor.empty() : tensor<1x2x2x2xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %scores : tensor<2x2xi8>, tensor<1x2x2x2xf32>) outs(%74 : tensor<1x2x2x2xf32>) {
    ^bb0(%76: i8, %77: f32, %78: f32):
      %79 = arith.constant 0 : i8
      %80 = arith.cmpi ne, %76, %79 : i8
      %81 = arith.constant 0xff800000 : f32
      %82 = arith.select %80, %77, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x2x2xf32>
    %83 = tensor.empty() : tensor<1x2x2xf32>
    %84 = linalg.fill ins(%2 : f32) outs(%83 : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<1x2x2x2xf32>) outs(%84 : tensor<1x2x2xf32>) {
    ^bb0(%86: f32, %87: f32):
      %88 = arith.maximumf %87, %86 : f32
      linalg.yield %88 : f32
    } -> tensor<1x2x2xf32>
    %89 = tensor.empty() : tensor<1x2x2x2xf32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %85 : tensor<1x2x2x2xf32>, tensor<1x2x2xf32>) outs(%89 : tensor<1x2x2x2xf32>) {
    ^bb0(%91: f32, %92: f32, %93: f32):
      %94 = arith.constant 0xff800000 : f32
      %95 = arith.cmpf oeq, %92, %94 : f32
      %96 = arith.constant 0.000000e+00 : f32
      %97 = arith.select %95, %96, %92 : f32
      %98 = arith.subf %91, %97 : f32
      %99 = func.call @kina.exp.f32(%98) : (f32) -> f32
      linalg.yield %99 : f32
    } -> tensor<1x2x2x2xf32>
    %100 = tensor.empty() : tensor<1x2x2xf32>
    %101 = linalg.fill ins(%1 : f32) outs(%100 : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %102 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90 : tensor<1x2x2x2xf32>) outs(%101 : tensor<1x2x2xf32>) {
    ^bb0(%103: f32, %104: f32):
      %105 = arith.addf %104, %103 fastmath<reassoc> : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x2xf32>
    %106 = tensor.empty() : tensor<1x2x2x2xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %102 : tensor<1x2x2x2xf32>, tensor<1x2x2xf32>) outs(%106 : tensor<1x2x2x2xf32>) {
    ^bb0(%107: f32, %108: f32, %109: f32):
      %110 = arith.constant 0.000000e+00 : f32
      %111 = arith.cmpf oeq, %108, %110 : f32
      %112 = arith.constant 1.000000e+00 : f32
      %113 = arith.select %111, %112, %108 : f32
      %114 = arith.divf %107, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x2x2x2xf32>
    %115 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %116 = tensor.collapse_shape %45 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %117 = tensor.empty() : tensor<2x2x2xf32>
    %118 = linalg.transpose ins(%116:tensor<2x2x2xf32>) outs(%117:tensor<2x2x2xf32>) permutation = [1, 0, 2]
    %119 = tensor.empty() : tensor<2x2x2xf32>
    %120 = linalg.fill ins(%1 : f32) outs(%119 : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %121 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%115, %118 : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%120 : tensor<2x2x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x2x2x2_f32"} {
    ^bb0(%122: f32, %123: f32, %124: f32):
      %125 = arith.mulf %122, %123 fastmath<reassoc,contract> : f32
      %126 = arith.addf %124, %125 fastmath<reassoc,contract> : f32
      linalg.yield %126 : f32
    } -> tensor<2x2x2xf32>
    %context = tensor.expand_shape %121 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 2, 2] : tensor<2x2x2xf32> into tensor<1x2x2x2xf32>
    %127 = tensor.empty() : tensor<1x2x2x2xf32>
    %128 = linalg.transpose ins(%context:tensor<1x2x2x2xf32>) outs(%127:tensor<1x2x2x2xf32>) permutation = [0, 2, 1, 3]
    %129 = tensor.collapse_shape %128 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x2x2xf32> into tensor<1x2x4xf32>
    %130 = tensor.collapse_shape %129 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %131 = tensor.empty() : tensor<2x4xf32>
    %132 = linalg.fill ins(%1 : f32) outs(%131 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130, %w_wo : tensor<2x4xf32>, tensor<4x4xf32>) outs(%132 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%134: f32, %135: f32, %136: f32):
      %137 = arith.mulf %134, %135 fastmath<reassoc,contract> : f32
      %138 = arith.addf %136, %137 fastmath<reassoc,contract> : f32
      linalg.yield %138 : f32
    } -> tensor<2x4xf32>
    %139 = tensor.expand_shape %133 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %140 = tensor.empty() : tensor<1x2x4xf32>
    %141 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %139 : tensor<1x2x4xf32>, tensor<1x2x4xf32>) outs(%140 : tensor<1x2x4xf32>) {
    ^bb0(%142: f32, %143: f32, %144: f32):
      %145 = arith.addf %142, %143 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x4xf32>
    %146 = tensor.collapse_shape %141 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %147 = tensor.empty() : tensor<2x8xf32>
    %148 = linalg.fill ins(%1 : f32) outs(%147 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %149 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%146, %w_lm_head : tensor<2x4xf32>, tensor<4x8xf32>) outs(%148 : tensor<2x8xf32>) attrs =  {kina.op = "matmul_nn_2x8x4_f32"} {
    ^bb0(%150: f32, %151: f32, %152: f32):
      %153 = arith.mulf %150, %151 fastmath<reassoc,contract> : f32
      %154 = arith.addf %152, %153 fastmath<reassoc,contract> : f32
      linalg.yield %154 : f32
    } -> tensor<2x8xf32>
    %155 = tensor.expand_shape %149 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 8] : tensor<2x8xf32> into tensor<1x2x8xf32>
    %156 = bufferization.materialize_in_destination %155 in %0 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
    func.return %156 : tensor<1x2x8xf32>
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
}
