builtin.module {
  func.func @decode_self(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}) -> (tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %0 = arith.constant 0 : index
    %1 = arith.constant 7 : index
    %2 = arith.constant 0.000000e+00 : f32
    %3 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %4 = tensor.extract %token_ids[%0, %0] : tensor<1x1xi64>
    %5 = arith.index_cast %4 : i64 to index
    %6 = arith.minsi %5, %1 : index
    %7 = arith.maxsi %6, %0 : index
    %8 = tensor.extract_slice %w_embed[%7, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %x = tensor.expand_shape %8 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %9 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %10 = tensor.empty() : tensor<1x4xf32>
    %11 = linalg.fill ins(%2 : f32) outs(%10 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%11 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%13: f32, %14: f32, %15: f32):
      %16 = arith.mulf %13, %14 fastmath<reassoc,contract> : f32
      %17 = arith.addf %15, %16 fastmath<reassoc,contract> : f32
      linalg.yield %17 : f32
    } -> tensor<1x4xf32>
    %18 = tensor.expand_shape %12 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %19 = tensor.expand_shape %18 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %20 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %21 = tensor.empty() : tensor<1x4xf32>
    %22 = linalg.fill ins(%2 : f32) outs(%21 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%22 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%24: f32, %25: f32, %26: f32):
      %27 = arith.mulf %24, %25 fastmath<reassoc,contract> : f32
      %28 = arith.addf %26, %27 fastmath<reassoc,contract> : f32
      linalg.yield %28 : f32
    } -> tensor<1x4xf32>
    %29 = tensor.expand_shape %23 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %30 = tensor.expand_shape %29 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %31 = tensor.collapse_shape %30 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x2x2xf32>
    %k = tensor.expand_shape %31 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x2x2xf32> into tensor<1x2x2x1xf32>
    %32 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %33 = tensor.empty() : tensor<1x4xf32>
    %34 = linalg.fill ins(%2 : f32) outs(%33 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%34 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%36: f32, %37: f32, %38: f32):
      %39 = arith.mulf %36, %37 fastmath<reassoc,contract> : f32
      %40 = arith.addf %38, %39 fastmath<reassoc,contract> : f32
      linalg.yield %40 : f32
    } -> tensor<1x4xf32>
    %41 = tensor.expand_shape %35 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %42 = tensor.expand_shape %41 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %43 = tensor.collapse_shape %42 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x2x2xf32>
    %v = tensor.expand_shape %43 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x2x2xf32> into tensor<1x2x1x2xf32>
    %44 = tensor.collapse_shape %19 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %45 = tensor.expand_shape %44 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<2x2xf32> into tensor<2x1x2xf32>
    %46 = tensor.collapse_shape %k [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x1xf32> into tensor<2x2x1xf32>
    %47 = tensor.empty() : tensor<2x1x1xf32>
    %48 = linalg.fill ins(%2 : f32) outs(%47 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45, %46 : tensor<2x1x2xf32>, tensor<2x2x1xf32>) outs(%48 : tensor<2x1x1xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x1x2_f32"} {
    ^bb0(%50: f32, %51: f32, %52: f32):
      %53 = arith.mulf %50, %51 fastmath<reassoc,contract> : f32
      %54 = arith.addf %52, %53 fastmath<reassoc,contract> : f32
      linalg.yield %54 : f32
    } -> tensor<2x1x1xf32>
    %scores = tensor.expand_shape %49 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 1] : tensor<2x1x1xf32> into tensor<1x2x1x1xf32>
    %55 = tensor.empty() : tensor<1x2x1x1xf32>
    %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x1xf32>) outs(%55 : tensor<1x2x1x1xf32>) {
    ^bb0(%57: f32, %58: f32):
      %59 = arith.mulf %57, %w_scale_1 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x1x1xf32>
    %60 = tensor.empty() : tensor<1x2x1xf32>
    %61 = linalg.fill ins(%3 : f32) outs(%60 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x2x1x1xf32>) outs(%61 : tensor<1x2x1xf32>) {
    ^bb0(%63: f32, %64: f32):
      %65 = arith.maximumf %64, %63 : f32
      linalg.yield %65 : f32
    } -> tensor<1x2x1xf32>
    %66 = tensor.empty() : tensor<1x2x1x1xf32>
    %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %62 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%66 : tensor<1x2x1x1xf32>) {
    ^bb0(%68: f32, %69: f32, %70: f32):
      %71 = arith.constant 0xff800000 : f32
      %72 = arith.cmpf oeq, %69, %71 : f32
      %73 = arith.constant 0.000000e+00 : f32
      %74 = arith.select %72, %73, %69 : f32
      %75 = arith.subf %68, %74 : f32
      %76 = func.call @kina.exp.f32(%75) : (f32) -> f32
      linalg.yield %76 : f32
    } -> tensor<1x2x1x1xf32>
    %77 = tensor.empty() : tensor<1x2x1xf32>
    %78 = linalg.fill ins(%2 : f32) outs(%77 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x2x1x1xf32>) outs(%78 : tensor<1x2x1xf32>) {
    ^bb0(%80: f32, %81: f32):
      %82 = arith.addf %81, %80 fastmath<reassoc> : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x1xf32>
    %83 = tensor.empty() : tensor<1x2x1x1xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %79 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%83 : tensor<1x2x1x1xf32>) {
    ^bb0(%84: f32, %85: f32, %86: f32):
      %87 = arith.constant 0.000000e+00 : f32
      %88 = arith.cmpf oeq, %85, %87 : f32
      %89 = arith.constant 1.000000e+00 : f32
      %90 = arith.select %88, %89, %85 : f32
      %91 = arith.divf %84, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x1x1xf32>
    %92 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x1xf32> into tensor<2x1x1xf32>
    %93 = tensor.collapse_shape %v [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x2xf32> into tensor<2x1x2xf32>
    %94 = tensor.empty() : tensor<2x1x2xf32>
    %95 = linalg.fill ins(%2 : f32) outs(%94 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %96 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92, %93 : tensor<2x1x1xf32>, tensor<2x1x2xf32>) outs(%95 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x1_f32"} {
    ^bb0(%97: f32, %98: f32, %99: f32):
      %100 = arith.mulf %97, %98 fastmath<reassoc,contract> : f32
      %101 = arith.addf %99, %100 fastmath<reassoc,contract> : f32
      linalg.yield %101 : f32
    } -> tensor<2x1x2xf32>
    %context = tensor.expand_shape %96 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 2] : tensor<2x1x2xf32> into tensor<1x2x1x2xf32>
    %102 = tensor.collapse_shape %context [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x1x2xf32> into tensor<1x2x2xf32>
    %103 = tensor.expand_shape %102 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x2x2xf32> into tensor<1x1x2x2xf32>
    %104 = tensor.collapse_shape %103 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x1x4xf32>
    %105 = tensor.collapse_shape %104 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %106 = tensor.empty() : tensor<1x4xf32>
    %107 = linalg.fill ins(%2 : f32) outs(%106 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%105, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%107 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%109: f32, %110: f32, %111: f32):
      %112 = arith.mulf %109, %110 fastmath<reassoc,contract> : f32
      %113 = arith.addf %111, %112 fastmath<reassoc,contract> : f32
      linalg.yield %113 : f32
    } -> tensor<1x4xf32>
    %114 = tensor.expand_shape %108 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %115 = tensor.empty() : tensor<1x1x4xf32>
    %116 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %114 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%115 : tensor<1x1x4xf32>) {
    ^bb0(%117: f32, %118: f32, %119: f32):
      %120 = arith.addf %117, %118 : f32
      linalg.yield %120 : f32
    } -> tensor<1x1x4xf32>
    %121 = tensor.collapse_shape %116 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %122 = tensor.empty() : tensor<1x8xf32>
    %123 = linalg.fill ins(%2 : f32) outs(%122 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %124 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%121, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%123 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%125: f32, %126: f32, %127: f32):
      %128 = arith.mulf %125, %126 fastmath<reassoc,contract> : f32
      %129 = arith.addf %127, %128 fastmath<reassoc,contract> : f32
      linalg.yield %129 : f32
    } -> tensor<1x8xf32>
    %130 = tensor.expand_shape %124 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    func.return %k, %v, %130 : tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>
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
