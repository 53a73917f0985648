builtin.module {
  func.func @decode_s2(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %k_past: tensor<1x2x2x2xf32> {bufferization.writable = false}, %v_past: tensor<1x2x2x2xf32> {bufferization.writable = false}) -> (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
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
    %44 = tensor.empty() : tensor<1x2x2x3xf32>
    %45 = tensor.insert_slice %k_past into %44[0, 0, 0, 0] [1, 2, 2, 2] [1, 1, 1, 1] : tensor<1x2x2x2xf32> into tensor<1x2x2x3xf32>
    %k_next = tensor.insert_slice %k into %45[0, 0, 0, 2] [1, 2, 2, 1] [1, 1, 1, 1] : tensor<1x2x2x1xf32> into tensor<1x2x2x3xf32>
    %46 = tensor.empty() : tensor<1x2x3x2xf32>
    %47 = tensor.insert_slice %v_past into %46[0, 0, 0, 0] [1, 2, 2, 2] [1, 1, 1, 1] : tensor<1x2x2x2xf32> into tensor<1x2x3x2xf32>
    %v_next = tensor.insert_slice %v into %47[0, 0, 2, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> into tensor<1x2x3x2xf32>
    %48 = tensor.collapse_shape %19 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %49 = tensor.expand_shape %48 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<2x2xf32> into tensor<2x1x2xf32>
    %50 = tensor.collapse_shape %k_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x3xf32> into tensor<2x2x3xf32>
    %51 = tensor.empty() : tensor<2x1x3xf32>
    %52 = linalg.fill ins(%2 : f32) outs(%51 : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49, %50 : tensor<2x1x2xf32>, tensor<2x2x3xf32>) outs(%52 : tensor<2x1x3xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x3x2_f32"} {
    ^bb0(%54: f32, %55: f32, %56: f32):
      %57 = arith.mulf %54, %55 fastmath<reassoc,contract> : f32
      %58 = arith.addf %56, %57 fastmath<reassoc,contract> : f32
      linalg.yield %58 : f32
    } -> tensor<2x1x3xf32>
    %scores = tensor.expand_shape %53 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 3] : tensor<2x1x3xf32> into tensor<1x2x1x3xf32>
    %59 = tensor.empty() : tensor<1x2x1x3xf32>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x3xf32>) outs(%59 : tensor<1x2x1x3xf32>) {
    ^bb0(%61: f32, %62: f32):
      %63 = arith.mulf %61, %w_scale_1 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x1x3xf32>
    %64 = tensor.empty() : tensor<1x2x1xf32>
    %65 = linalg.fill ins(%3 : f32) outs(%64 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<1x2x1x3xf32>) outs(%65 : tensor<1x2x1xf32>) {
    ^bb0(%67: f32, %68: f32):
      %69 = arith.maximumf %68, %67 : f32
      linalg.yield %69 : f32
    } -> tensor<1x2x1xf32>
    %70 = tensor.empty() : tensor<1x2x1x3xf32>
    %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %66 : tensor<1x2x1x3xf32>, tensor<1x2x1xf32>) outs(%70 : tensor<1x2x1x3xf32>) {
    ^bb0(%72: f32, %73: f32, %74: f32):
      %75 = arith.constant 0xff800000 : f32
      %76 = arith.cmpf oeq, %73, %75 : f32
      %77 = arith.constant 0.000000e+00 : f32
      %78 = arith.select %76, %77, %73 : f32
      %79 = arith.subf %72, %78 : f32
      %80 = func.call @kina.exp.f32(%79) : (f32) -> f32
      linalg.yield %80 : f32
    } -> tensor<1x2x1x3xf32>
    %81 = tensor.empty() : tensor<1x2x1xf32>
    %82 = linalg.fill ins(%2 : f32) outs(%81 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x2x1x3xf32>) outs(%82 : tensor<1x2x1xf32>) {
    ^bb0(%84: f32, %85: f32):
      %86 = arith.addf %85, %84 fastmath<reassoc> : f32
      linalg.yield %86 : f32
    } -> tensor<1x2x1xf32>
    %87 = tensor.empty() : tensor<1x2x1x3xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %83 : tensor<1x2x1x3xf32>, tensor<1x2x1xf32>) outs(%87 : tensor<1x2x1x3xf32>) {
    ^bb0(%88: f32, %89: f32, %90: f32):
      %91 = arith.constant 0.000000e+00 : f32
      %92 = arith.cmpf oeq, %89, %91 : f32
      %93 = arith.constant 1.000000e+00 : f32
      %94 = arith.select %92, %93, %89 : f32
      %95 = arith.divf %88, %94 : f32
      linalg.yield %95 : f32
    } -> tensor<1x2x1x3xf32>
    %96 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x3xf32> into tensor<2x1x3xf32>
    %97 = tensor.collapse_shape %v_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x3x2xf32> into tensor<2x3x2xf32>
    %98 = tensor.empty() : tensor<2x1x2xf32>
    %99 = linalg.fill ins(%2 : f32) outs(%98 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%96, %97 : tensor<2x1x3xf32>, tensor<2x3x2xf32>) outs(%99 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x3_f32"} {
    ^bb0(%101: f32, %102: f32, %103: f32):
      %104 = arith.mulf %101, %102 fastmath<reassoc,contract> : f32
      %105 = arith.addf %103, %104 fastmath<reassoc,contract> : f32
      linalg.yield %105 : f32
    } -> tensor<2x1x2xf32>
    %context = tensor.expand_shape %100 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 2] : tensor<2x1x2xf32> into tensor<1x2x1x2xf32>
    %106 = tensor.collapse_shape %context [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x1x2xf32> into tensor<1x2x2xf32>
    %107 = tensor.expand_shape %106 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x2x2xf32> into tensor<1x1x2x2xf32>
    %108 = tensor.collapse_shape %107 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x1x4xf32>
    %109 = tensor.collapse_shape %108 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %110 = tensor.empty() : tensor<1x4xf32>
    %111 = linalg.fill ins(%2 : f32) outs(%110 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %112 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%109, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%111 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%113: f32, %114: f32, %115: f32):
      %116 = arith.mulf %113, %114 fastmath<reassoc,contract> : f32
      %117 = arith.addf %115, %116 fastmath<reassoc,contract> : f32
      linalg.yield %117 : f32
    } -> tensor<1x4xf32>
    %118 = tensor.expand_shape %112 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %119 = tensor.empty() : tensor<1x1x4xf32>
    %120 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %118 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%119 : tensor<1x1x4xf32>) {
    ^bb0(%121: f32, %122: f32, %123: f32):
      %124 = arith.addf %121, %122 : f32
      linalg.yield %124 : f32
    } -> tensor<1x1x4xf32>
    %125 = tensor.collapse_shape %120 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %126 = tensor.empty() : tensor<1x8xf32>
    %127 = linalg.fill ins(%2 : f32) outs(%126 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %128 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%127 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%129: f32, %130: f32, %131: f32):
      %132 = arith.mulf %129, %130 fastmath<reassoc,contract> : f32
      %133 = arith.addf %131, %132 fastmath<reassoc,contract> : f32
      linalg.yield %133 : f32
    } -> tensor<1x8xf32>
    %134 = tensor.expand_shape %128 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    func.return %k_next, %v_next, %134 : tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>, tensor<1x1x8xf32>
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
