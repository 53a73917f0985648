builtin.module {
  func.func @decode_any(%w_embed: tensor<8x4xf32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %w_wq: tensor<4x4xf32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %w_wk: tensor<4x4xf32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %w_wv: tensor<4x4xf32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %w_wo: tensor<4x4xf32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %w_scale: tensor<f32> {bufferization.writable = false, bufferization.buffer_layout = affine_map<() -> ()>}, %token_ids: tensor<1x1xi64> {bufferization.writable = false, bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>}, %k_past: tensor<1x2x2x?xf32> {bufferization.writable = true, bufferization.buffer_layout = strided<[?, ?, ?, 1]>}, %v_past: tensor<1x2x?x2xf32> {bufferization.writable = true, bufferization.buffer_layout = strided<[?, ?, ?, 1]>}, %0: tensor<1x1x8xf32> {bufferization.writable = true, bufferization.buffer_layout = affine_map<(d0, d1, d2) -> (d0, d1, d2)>}) -> (tensor<1x2x2x?xf32>, tensor<1x2x?x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %1 = arith.constant 3 : index
    %2 = tensor.dim %k_past, %1 : tensor<1x2x2x?xf32>
    %3 = arith.constant 1 : index
    %4 = arith.subi %2, %3 : index
    %5 = arith.constant 0 : index
    %6 = arith.constant 7 : index
    %7 = arith.constant 0.000000e+00 : f32
    %8 = arith.addi %4, %3 : index
    %9 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %10 = tensor.extract %token_ids[%5, %5] : tensor<1x1xi64>
    %11 = arith.index_cast %10 : i64 to index
    %12 = arith.minsi %11, %6 : index
    %13 = arith.maxsi %12, %5 : index
    %14 = tensor.extract_slice %w_embed[%13, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %x = tensor.expand_shape %14 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %15 = tensor.empty() : tensor<1x4xf32>
    %16 = linalg.fill ins(%7 : f32) outs(%15 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%16 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%18: f32, %19: f32, %20: f32):
      %21 = arith.mulf %18, %19 fastmath<reassoc,contract> : f32
      %22 = arith.addf %20, %21 fastmath<reassoc,contract> : f32
      linalg.yield %22 : f32
    } -> tensor<1x4xf32>
    %23 = tensor.empty() : tensor<1x4xf32>
    %24 = linalg.fill ins(%7 : f32) outs(%23 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%24 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%26: f32, %27: f32, %28: f32):
      %29 = arith.mulf %26, %27 fastmath<reassoc,contract> : f32
      %30 = arith.addf %28, %29 fastmath<reassoc,contract> : f32
      linalg.yield %30 : f32
    } -> tensor<1x4xf32>
    %k = tensor.expand_shape %25 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x4xf32> into tensor<1x2x2x1xf32>
    %31 = tensor.empty() : tensor<1x4xf32>
    %32 = linalg.fill ins(%7 : f32) outs(%31 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%32 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%34: f32, %35: f32, %36: f32):
      %37 = arith.mulf %34, %35 fastmath<reassoc,contract> : f32
      %38 = arith.addf %36, %37 fastmath<reassoc,contract> : f32
      linalg.yield %38 : f32
    } -> tensor<1x4xf32>
    %v = tensor.expand_shape %33 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x4xf32> into tensor<1x2x1x2xf32>
    %k_next = tensor.insert_slice %k into %k_past[0, 0, 0, %4] [1, 2, 2, 1] [1, 1, 1, 1] : tensor<1x2x2x1xf32> into tensor<1x2x2x?xf32>
    %v_next = tensor.insert_slice %v into %v_past[0, 0, %4, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> into tensor<1x2x?x2xf32>
    %39 = tensor.collapse_shape %17 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %40 = tensor.expand_shape %39 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %41 = tensor.collapse_shape %k_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x?xf32> into tensor<2x2x?xf32>
    %42 = tensor.empty(%8) : tensor<2x1x?xf32>
    %43 = linalg.fill ins(%7 : f32) outs(%42 : tensor<2x1x?xf32>) -> tensor<2x1x?xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40, %41 : tensor<2x1x2xf32>, tensor<2x2x?xf32>) outs(%43 : tensor<2x1x?xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1xNx2_f32"} {
    ^bb0(%45: f32, %46: f32, %47: f32):
      %48 = arith.mulf %45, %46 fastmath<reassoc,contract> : f32
      %49 = arith.addf %47, %48 fastmath<reassoc,contract> : f32
      linalg.yield %49 : f32
    } -> tensor<2x1x?xf32>
    %scores = tensor.expand_shape %44 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, %8] : tensor<2x1x?xf32> into tensor<1x2x1x?xf32>
    %50 = tensor.empty(%8) : tensor<1x2x1x?xf32>
    %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x?xf32>) outs(%50 : tensor<1x2x1x?xf32>) {
    ^bb0(%52: f32, %53: f32):
      %54 = arith.mulf %52, %w_scale_1 : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x1x?xf32>
    %55 = tensor.empty() : tensor<1x2x1xf32>
    %56 = linalg.fill ins(%9 : f32) outs(%55 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x2x1x?xf32>) outs(%56 : tensor<1x2x1xf32>) {
    ^bb0(%58: f32, %59: f32):
      %60 = arith.maximumf %59, %58 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x1xf32>
    %61 = tensor.empty(%8) : tensor<1x2x1x?xf32>
    %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %57 : tensor<1x2x1x?xf32>, tensor<1x2x1xf32>) outs(%61 : tensor<1x2x1x?xf32>) {
    ^bb0(%63: f32, %64: f32, %65: f32):
      %66 = arith.constant 0xff800000 : f32
      %67 = arith.cmpf oeq, %64, %66 : f32
      %68 = arith.constant 0.000000e+00 : f32
      %69 = arith.select %67, %68, %64 : f32
      %70 = arith.subf %63, %69 : f32
      %71 = func.call @kina.exp.f32(%70) : (f32) -> f32
      linalg.yield %71 : f32
    } -> tensor<1x2x1x?xf32>
    %72 = tensor.empty() : tensor<1x2x1xf32>
    %73 = linalg.fill ins(%7 : f32) outs(%72 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x2x1x?xf32>) outs(%73 : tensor<1x2x1xf32>) {
    ^bb0(%75: f32, %76: f32):
      %77 = arith.addf %76, %75 fastmath<reassoc> : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x1xf32>
    %78 = tensor.empty(%8) : tensor<1x2x1x?xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %74 : tensor<1x2x1x?xf32>, tensor<1x2x1xf32>) outs(%78 : tensor<1x2x1x?xf32>) {
    ^bb0(%79: f32, %80: f32, %81: f32):
      %82 = arith.constant 0.000000e+00 : f32
      %83 = arith.cmpf oeq, %80, %82 : f32
      %84 = arith.constant 1.000000e+00 : f32
      %85 = arith.select %83, %84, %80 : f32
      %86 = arith.divf %79, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<1x2x1x?xf32>
    %87 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x?xf32> into tensor<2x1x?xf32>
    %88 = tensor.collapse_shape %v_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x?x2xf32> into tensor<2x?x2xf32>
    %89 = tensor.empty() : tensor<2x1x2xf32>
    %90 = linalg.fill ins(%7 : f32) outs(%89 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %91 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%87, %88 : tensor<2x1x?xf32>, tensor<2x?x2xf32>) outs(%90 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2xN_f32"} {
    ^bb0(%92: f32, %93: f32, %94: f32):
      %95 = arith.mulf %92, %93 fastmath<reassoc,contract> : f32
      %96 = arith.addf %94, %95 fastmath<reassoc,contract> : f32
      linalg.yield %96 : f32
    } -> tensor<2x1x2xf32>
    %97 = tensor.collapse_shape %91 [[0 : i64, 1 : i64, 2 : i64]] : tensor<2x1x2xf32> into tensor<4xf32>
    %98 = tensor.expand_shape %97 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %99 = tensor.empty() : tensor<1x4xf32>
    %100 = linalg.fill ins(%7 : f32) outs(%99 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%98, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%100 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%102: f32, %103: f32, %104: f32):
      %105 = arith.mulf %102, %103 fastmath<reassoc,contract> : f32
      %106 = arith.addf %104, %105 fastmath<reassoc,contract> : f32
      linalg.yield %106 : f32
    } -> tensor<1x4xf32>
    %107 = tensor.expand_shape %101 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %108 = tensor.empty() : tensor<1x1x4xf32>
    %109 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %107 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%108 : tensor<1x1x4xf32>) {
    ^bb0(%110: f32, %111: f32, %112: f32):
      %113 = arith.addf %110, %111 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x4xf32>
    %114 = tensor.collapse_shape %109 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %115 = tensor.empty() : tensor<1x8xf32>
    %116 = linalg.fill ins(%7 : f32) outs(%115 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%114, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%116 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%118: f32, %119: f32, %120: f32):
      %121 = arith.mulf %118, %119 fastmath<reassoc,contract> : f32
      %122 = arith.addf %120, %121 fastmath<reassoc,contract> : f32
      linalg.yield %122 : f32
    } -> tensor<1x8xf32>
    %123 = tensor.expand_shape %117 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %124 = bufferization.materialize_in_destination %k_next in %k_past : (tensor<1x2x2x?xf32>, tensor<1x2x2x?xf32>) -> tensor<1x2x2x?xf32>
    %125 = bufferization.materialize_in_destination %v_next in %v_past : (tensor<1x2x?x2xf32>, tensor<1x2x?x2xf32>) -> tensor<1x2x?x2xf32>
    %126 = bufferization.materialize_in_destination %123 in %0 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %124, %125, %126 : tensor<1x2x2x?xf32>, tensor<1x2x?x2xf32>, tensor<1x1x8xf32>
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
