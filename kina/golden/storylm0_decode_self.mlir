builtin.module {
  func.func @decode_self(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %0: tensor<1x2x2x1xf32> {bufferization.writable = true}, %1: tensor<1x2x1x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %3 = arith.constant 0 : index
    %4 = arith.constant 7 : index
    %5 = arith.constant 0.000000e+00 : f32
    %6 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %7 = tensor.extract %token_ids[%3, %3] : tensor<1x1xi64>
    %8 = arith.index_cast %7 : i64 to index
    %9 = arith.minsi %8, %4 : index
    %10 = arith.maxsi %9, %3 : index
    %11 = tensor.extract_slice %w_embed[%10, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %x = tensor.expand_shape %11 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %12 = tensor.empty() : tensor<1x4xf32>
    %13 = linalg.fill ins(%5 : f32) outs(%12 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%13 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%15: f32, %16: f32, %17: f32):
      %18 = arith.mulf %15, %16 fastmath<reassoc,contract> : f32
      %19 = arith.addf %17, %18 fastmath<reassoc,contract> : f32
      linalg.yield %19 : f32
    } -> tensor<1x4xf32>
    %20 = tensor.empty() : tensor<1x4xf32>
    %21 = linalg.fill ins(%5 : f32) outs(%20 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%21 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%23: f32, %24: f32, %25: f32):
      %26 = arith.mulf %23, %24 fastmath<reassoc,contract> : f32
      %27 = arith.addf %25, %26 fastmath<reassoc,contract> : f32
      linalg.yield %27 : f32
    } -> tensor<1x4xf32>
    %28 = tensor.empty() : tensor<1x4xf32>
    %29 = linalg.fill ins(%5 : f32) outs(%28 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%29 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%31: f32, %32: f32, %33: f32):
      %34 = arith.mulf %31, %32 fastmath<reassoc,contract> : f32
      %35 = arith.addf %33, %34 fastmath<reassoc,contract> : f32
      linalg.yield %35 : f32
    } -> tensor<1x4xf32>
    %36 = tensor.collapse_shape %14 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %37 = tensor.expand_shape %36 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %38 = tensor.collapse_shape %22 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %39 = tensor.expand_shape %38 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 2, 1] : tensor<4xf32> into tensor<2x2x1xf32>
    %40 = tensor.empty() : tensor<2x1x1xf32>
    %41 = linalg.fill ins(%5 : f32) outs(%40 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37, %39 : tensor<2x1x2xf32>, tensor<2x2x1xf32>) outs(%41 : tensor<2x1x1xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x1x2_f32"} {
    ^bb0(%43: f32, %44: f32, %45: f32):
      %46 = arith.mulf %43, %44 fastmath<reassoc,contract> : f32
      %47 = arith.addf %45, %46 fastmath<reassoc,contract> : f32
      linalg.yield %47 : f32
    } -> tensor<2x1x1xf32>
    %scores = tensor.expand_shape %42 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 1] : tensor<2x1x1xf32> into tensor<1x2x1x1xf32>
    %48 = tensor.empty() : tensor<1x2x1x1xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x1xf32>) outs(%48 : tensor<1x2x1x1xf32>) {
    ^bb0(%50: f32, %51: f32):
      %52 = arith.mulf %50, %w_scale_1 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x1x1xf32>
    %53 = tensor.empty() : tensor<1x2x1xf32>
    %54 = linalg.fill ins(%6 : f32) outs(%53 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x2x1x1xf32>) outs(%54 : tensor<1x2x1xf32>) {
    ^bb0(%56: f32, %57: f32):
      %58 = arith.maximumf %57, %56 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x1xf32>
    %59 = tensor.empty() : tensor<1x2x1x1xf32>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %55 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%59 : tensor<1x2x1x1xf32>) {
    ^bb0(%61: f32, %62: f32, %63: f32):
      %64 = arith.constant 0xff800000 : f32
      %65 = arith.cmpf oeq, %62, %64 : f32
      %66 = arith.constant 0.000000e+00 : f32
      %67 = arith.select %65, %66, %62 : f32
      %68 = arith.subf %61, %67 : f32
      %69 = func.call @kina.exp.f32(%68) : (f32) -> f32
      linalg.yield %69 : f32
    } -> tensor<1x2x1x1xf32>
    %70 = tensor.empty() : tensor<1x2x1xf32>
    %71 = linalg.fill ins(%5 : f32) outs(%70 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %72 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<1x2x1x1xf32>) outs(%71 : tensor<1x2x1xf32>) {
    ^bb0(%73: f32, %74: f32):
      %75 = arith.addf %74, %73 fastmath<reassoc> : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x1xf32>
    %76 = tensor.empty() : tensor<1x2x1x1xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %72 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%76 : tensor<1x2x1x1xf32>) {
    ^bb0(%77: f32, %78: f32, %79: f32):
      %80 = arith.constant 0.000000e+00 : f32
      %81 = arith.cmpf oeq, %78, %80 : f32
      %82 = arith.constant 1.000000e+00 : f32
      %83 = arith.select %81, %82, %78 : f32
      %84 = arith.divf %77, %83 : f32
      linalg.yield %84 : f32
    } -> tensor<1x2x1x1xf32>
    %85 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x1xf32> into tensor<2x1x1xf32>
    %86 = tensor.collapse_shape %30 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %87 = tensor.expand_shape %86 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %88 = tensor.empty() : tensor<2x1x2xf32>
    %89 = linalg.fill ins(%5 : f32) outs(%88 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%85, %87 : tensor<2x1x1xf32>, tensor<2x1x2xf32>) outs(%89 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x1_f32"} {
    ^bb0(%91: f32, %92: f32, %93: f32):
      %94 = arith.mulf %91, %92 fastmath<reassoc,contract> : f32
      %95 = arith.addf %93, %94 fastmath<reassoc,contract> : f32
      linalg.yield %95 : f32
    } -> tensor<2x1x2xf32>
    %96 = tensor.collapse_shape %90 [[0 : i64, 1 : i64, 2 : i64]] : tensor<2x1x2xf32> into tensor<4xf32>
    %97 = tensor.expand_shape %96 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %98 = tensor.empty() : tensor<1x4xf32>
    %99 = linalg.fill ins(%5 : f32) outs(%98 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%97, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%99 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%101: f32, %102: f32, %103: f32):
      %104 = arith.mulf %101, %102 fastmath<reassoc,contract> : f32
      %105 = arith.addf %103, %104 fastmath<reassoc,contract> : f32
      linalg.yield %105 : f32
    } -> tensor<1x4xf32>
    %106 = tensor.expand_shape %100 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %107 = tensor.empty() : tensor<1x1x4xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %106 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%107 : tensor<1x1x4xf32>) {
    ^bb0(%109: f32, %110: f32, %111: f32):
      %112 = arith.addf %109, %110 : f32
      linalg.yield %112 : f32
    } -> tensor<1x1x4xf32>
    %113 = tensor.collapse_shape %108 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %114 = tensor.empty() : tensor<1x8xf32>
    %115 = linalg.fill ins(%5 : f32) outs(%114 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %116 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%113, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%115 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%117: f32, %118: f32, %119: f32):
      %120 = arith.mulf %117, %118 fastmath<reassoc,contract> : f32
      %121 = arith.addf %119, %120 fastmath<reassoc,contract> : f32
      linalg.yield %121 : f32
    } -> tensor<1x8xf32>
    %122 = tensor.expand_shape %116 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %123 = tensor.expand_shape %22 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x4xf32> into tensor<1x2x2x1xf32>
    %124 = tensor.expand_shape %30 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x4xf32> into tensor<1x2x1x2xf32>
    %125 = bufferization.materialize_in_destination %123 in %0 : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    %126 = bufferization.materialize_in_destination %124 in %1 : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32>
    %127 = bufferization.materialize_in_destination %122 in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %125, %126, %127 : tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>
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
