builtin.module {
  func.func @decode_s31(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %k_past: tensor<1x2x2x31xf32> {bufferization.writable = false}, %v_past: tensor<1x2x31x2xf32> {bufferization.writable = false}, %0: tensor<1x2x2x32xf32> {bufferization.writable = true}, %1: tensor<1x2x32x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x32xf32>, tensor<1x2x32x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
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
    %k = tensor.expand_shape %22 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x4xf32> into tensor<1x2x2x1xf32>
    %28 = tensor.empty() : tensor<1x4xf32>
    %29 = linalg.fill ins(%5 : f32) outs(%28 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%29 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%31: f32, %32: f32, %33: f32):
      %34 = arith.mulf %31, %32 fastmath<reassoc,contract> : f32
      %35 = arith.addf %33, %34 fastmath<reassoc,contract> : f32
      linalg.yield %35 : f32
    } -> tensor<1x4xf32>
    %v = tensor.expand_shape %30 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x4xf32> into tensor<1x2x1x2xf32>
    %36 = tensor.empty() : tensor<1x2x2x32xf32>
    %37 = tensor.insert_slice %k_past into %36[0, 0, 0, 0] [1, 2, 2, 31] [1, 1, 1, 1] : tensor<1x2x2x31xf32> into tensor<1x2x2x32xf32>
    %k_next = tensor.insert_slice %k into %37[0, 0, 0, 31] [1, 2, 2, 1] [1, 1, 1, 1] : tensor<1x2x2x1xf32> into tensor<1x2x2x32xf32>
    %38 = tensor.empty() : tensor<1x2x32x2xf32>
    %39 = tensor.insert_slice %v_past into %38[0, 0, 0, 0] [1, 2, 31, 2] [1, 1, 1, 1] : tensor<1x2x31x2xf32> into tensor<1x2x32x2xf32>
    %v_next = tensor.insert_slice %v into %39[0, 0, 31, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> into tensor<1x2x32x2xf32>
    %40 = tensor.collapse_shape %14 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %41 = tensor.expand_shape %40 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %42 = tensor.collapse_shape %k_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x32xf32> into tensor<2x2x32xf32>
    %43 = tensor.empty() : tensor<2x1x32xf32>
    %44 = linalg.fill ins(%5 : f32) outs(%43 : tensor<2x1x32xf32>) -> tensor<2x1x32xf32>
    %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %42 : tensor<2x1x2xf32>, tensor<2x2x32xf32>) outs(%44 : tensor<2x1x32xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x32x2_f32"} {
    ^bb0(%46: f32, %47: f32, %48: f32):
      %49 = arith.mulf %46, %47 fastmath<reassoc,contract> : f32
      %50 = arith.addf %48, %49 fastmath<reassoc,contract> : f32
      linalg.yield %50 : f32
    } -> tensor<2x1x32xf32>
    %scores = tensor.expand_shape %45 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 32] : tensor<2x1x32xf32> into tensor<1x2x1x32xf32>
    %51 = tensor.empty() : tensor<1x2x1x32xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x32xf32>) outs(%51 : tensor<1x2x1x32xf32>) {
    ^bb0(%53: f32, %54: f32):
      %55 = arith.mulf %53, %w_scale_1 : f32
      linalg.yield %55 : f32
    } -> tensor<1x2x1x32xf32>
    %56 = tensor.empty() : tensor<1x2x1xf32>
    %57 = linalg.fill ins(%6 : f32) outs(%56 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x2x1x32xf32>) outs(%57 : tensor<1x2x1xf32>) {
    ^bb0(%59: f32, %60: f32):
      %61 = arith.maximumf %60, %59 : f32
      linalg.yield %61 : f32
    } -> tensor<1x2x1xf32>
    %62 = tensor.empty() : tensor<1x2x1x32xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %58 : tensor<1x2x1x32xf32>, tensor<1x2x1xf32>) outs(%62 : tensor<1x2x1x32xf32>) {
    ^bb0(%64: f32, %65: f32, %66: f32):
      %67 = arith.constant 0xff800000 : f32
      %68 = arith.cmpf oeq, %65, %67 : f32
      %69 = arith.constant 0.000000e+00 : f32
      %70 = arith.select %68, %69, %65 : f32
      %71 = arith.subf %64, %70 : f32
      %72 = func.call @kina.exp.f32(%71) : (f32) -> f32
      linalg.yield %72 : f32
    } -> tensor<1x2x1x32xf32>
    %73 = tensor.empty() : tensor<1x2x1xf32>
    %74 = linalg.fill ins(%5 : f32) outs(%73 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x2x1x32xf32>) outs(%74 : tensor<1x2x1xf32>) {
    ^bb0(%76: f32, %77: f32):
      %78 = arith.addf %77, %76 fastmath<reassoc> : f32
      linalg.yield %78 : f32
    } -> tensor<1x2x1xf32>
    %79 = tensor.empty() : tensor<1x2x1x32xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %75 : tensor<1x2x1x32xf32>, tensor<1x2x1xf32>) outs(%79 : tensor<1x2x1x32xf32>) {
    ^bb0(%80: f32, %81: f32, %82: f32):
      %83 = arith.constant 0.000000e+00 : f32
      %84 = arith.cmpf oeq, %81, %83 : f32
      %85 = arith.constant 1.000000e+00 : f32
      %86 = arith.select %84, %85, %81 : f32
      %87 = arith.divf %80, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x1x32xf32>
    %88 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x32xf32> into tensor<2x1x32xf32>
    %89 = tensor.collapse_shape %v_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x32x2xf32> into tensor<2x32x2xf32>
    %90 = tensor.empty() : tensor<2x1x2xf32>
    %91 = linalg.fill ins(%5 : f32) outs(%90 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %92 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88, %89 : tensor<2x1x32xf32>, tensor<2x32x2xf32>) outs(%91 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x32_f32"} {
    ^bb0(%93: f32, %94: f32, %95: f32):
      %96 = arith.mulf %93, %94 fastmath<reassoc,contract> : f32
      %97 = arith.addf %95, %96 fastmath<reassoc,contract> : f32
      linalg.yield %97 : f32
    } -> tensor<2x1x2xf32>
    %98 = tensor.collapse_shape %92 [[0 : i64, 1 : i64, 2 : i64]] : tensor<2x1x2xf32> into tensor<4xf32>
    %99 = tensor.expand_shape %98 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %100 = tensor.empty() : tensor<1x4xf32>
    %101 = linalg.fill ins(%5 : f32) outs(%100 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %102 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%101 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%103: f32, %104: f32, %105: f32):
      %106 = arith.mulf %103, %104 fastmath<reassoc,contract> : f32
      %107 = arith.addf %105, %106 fastmath<reassoc,contract> : f32
      linalg.yield %107 : f32
    } -> tensor<1x4xf32>
    %108 = tensor.expand_shape %102 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %109 = tensor.empty() : tensor<1x1x4xf32>
    %110 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %108 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%109 : tensor<1x1x4xf32>) {
    ^bb0(%111: f32, %112: f32, %113: f32):
      %114 = arith.addf %111, %112 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x4xf32>
    %115 = tensor.collapse_shape %110 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %116 = tensor.empty() : tensor<1x8xf32>
    %117 = linalg.fill ins(%5 : f32) outs(%116 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %118 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%115, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%117 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%119: f32, %120: f32, %121: f32):
      %122 = arith.mulf %119, %120 fastmath<reassoc,contract> : f32
      %123 = arith.addf %121, %122 fastmath<reassoc,contract> : f32
      linalg.yield %123 : f32
    } -> tensor<1x8xf32>
    %124 = tensor.expand_shape %118 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %125 = bufferization.materialize_in_destination %k_next in %0 : (tensor<1x2x2x32xf32>, tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %126 = bufferization.materialize_in_destination %v_next in %1 : (tensor<1x2x32x2xf32>, tensor<1x2x32x2xf32>) -> tensor<1x2x32x2xf32>
    %127 = bufferization.materialize_in_destination %124 in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %125, %126, %127 : tensor<1x2x2x32xf32>, tensor<1x2x32x2xf32>, tensor<1x1x8xf32>
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
