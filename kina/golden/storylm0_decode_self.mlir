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
    %12 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %13 = tensor.empty() : tensor<1x4xf32>
    %14 = linalg.fill ins(%5 : f32) outs(%13 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%14 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%16: f32, %17: f32, %18: f32):
      %19 = arith.mulf %16, %17 fastmath<reassoc,contract> : f32
      %20 = arith.addf %18, %19 fastmath<reassoc,contract> : f32
      linalg.yield %20 : f32
    } -> tensor<1x4xf32>
    %21 = tensor.expand_shape %15 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %22 = tensor.expand_shape %21 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %23 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %24 = tensor.empty() : tensor<1x4xf32>
    %25 = linalg.fill ins(%5 : f32) outs(%24 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%25 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%27: f32, %28: f32, %29: f32):
      %30 = arith.mulf %27, %28 fastmath<reassoc,contract> : f32
      %31 = arith.addf %29, %30 fastmath<reassoc,contract> : f32
      linalg.yield %31 : f32
    } -> tensor<1x4xf32>
    %32 = tensor.expand_shape %26 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %33 = tensor.expand_shape %32 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %34 = tensor.collapse_shape %33 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x2x2xf32>
    %k = tensor.expand_shape %34 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x2x2xf32> into tensor<1x2x2x1xf32>
    %35 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %36 = tensor.empty() : tensor<1x4xf32>
    %37 = linalg.fill ins(%5 : f32) outs(%36 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%37 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%39: f32, %40: f32, %41: f32):
      %42 = arith.mulf %39, %40 fastmath<reassoc,contract> : f32
      %43 = arith.addf %41, %42 fastmath<reassoc,contract> : f32
      linalg.yield %43 : f32
    } -> tensor<1x4xf32>
    %44 = tensor.expand_shape %38 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %45 = tensor.expand_shape %44 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %46 = tensor.collapse_shape %45 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x2x2xf32>
    %v = tensor.expand_shape %46 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x2x2xf32> into tensor<1x2x1x2xf32>
    %47 = tensor.collapse_shape %22 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %48 = tensor.expand_shape %47 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<2x2xf32> into tensor<2x1x2xf32>
    %49 = tensor.collapse_shape %k [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x1xf32> into tensor<2x2x1xf32>
    %50 = tensor.empty() : tensor<2x1x1xf32>
    %51 = linalg.fill ins(%5 : f32) outs(%50 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48, %49 : tensor<2x1x2xf32>, tensor<2x2x1xf32>) outs(%51 : tensor<2x1x1xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x1x2_f32"} {
    ^bb0(%53: f32, %54: f32, %55: f32):
      %56 = arith.mulf %53, %54 fastmath<reassoc,contract> : f32
      %57 = arith.addf %55, %56 fastmath<reassoc,contract> : f32
      linalg.yield %57 : f32
    } -> tensor<2x1x1xf32>
    %scores = tensor.expand_shape %52 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 1] : tensor<2x1x1xf32> into tensor<1x2x1x1xf32>
    %58 = tensor.empty() : tensor<1x2x1x1xf32>
    %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x1xf32>) outs(%58 : tensor<1x2x1x1xf32>) {
    ^bb0(%60: f32, %61: f32):
      %62 = arith.mulf %60, %w_scale_1 : f32
      linalg.yield %62 : f32
    } -> tensor<1x2x1x1xf32>
    %63 = tensor.empty() : tensor<1x2x1xf32>
    %64 = linalg.fill ins(%6 : f32) outs(%63 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x2x1x1xf32>) outs(%64 : tensor<1x2x1xf32>) {
    ^bb0(%66: f32, %67: f32):
      %68 = arith.maximumf %67, %66 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x1xf32>
    %69 = tensor.empty() : tensor<1x2x1x1xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %65 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%69 : tensor<1x2x1x1xf32>) {
    ^bb0(%71: f32, %72: f32, %73: f32):
      %74 = arith.constant 0xff800000 : f32
      %75 = arith.cmpf oeq, %72, %74 : f32
      %76 = arith.constant 0.000000e+00 : f32
      %77 = arith.select %75, %76, %72 : f32
      %78 = arith.subf %71, %77 : f32
      %79 = func.call @kina.exp.f32(%78) : (f32) -> f32
      linalg.yield %79 : f32
    } -> tensor<1x2x1x1xf32>
    %80 = tensor.empty() : tensor<1x2x1xf32>
    %81 = linalg.fill ins(%5 : f32) outs(%80 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %82 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x1x1xf32>) outs(%81 : tensor<1x2x1xf32>) {
    ^bb0(%83: f32, %84: f32):
      %85 = arith.addf %84, %83 fastmath<reassoc> : f32
      linalg.yield %85 : f32
    } -> tensor<1x2x1xf32>
    %86 = tensor.empty() : tensor<1x2x1x1xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %82 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%86 : tensor<1x2x1x1xf32>) {
    ^bb0(%87: f32, %88: f32, %89: f32):
      %90 = arith.constant 0.000000e+00 : f32
      %91 = arith.cmpf oeq, %88, %90 : f32
      %92 = arith.constant 1.000000e+00 : f32
      %93 = arith.select %91, %92, %88 : f32
      %94 = arith.divf %87, %93 : f32
      linalg.yield %94 : f32
    } -> tensor<1x2x1x1xf32>
    %95 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x1xf32> into tensor<2x1x1xf32>
    %96 = tensor.collapse_shape %v [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x2xf32> into tensor<2x1x2xf32>
    %97 = tensor.empty() : tensor<2x1x2xf32>
    %98 = linalg.fill ins(%5 : f32) outs(%97 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%95, %96 : tensor<2x1x1xf32>, tensor<2x1x2xf32>) outs(%98 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x1_f32"} {
    ^bb0(%100: f32, %101: f32, %102: f32):
      %103 = arith.mulf %100, %101 fastmath<reassoc,contract> : f32
      %104 = arith.addf %102, %103 fastmath<reassoc,contract> : f32
      linalg.yield %104 : f32
    } -> tensor<2x1x2xf32>
    %context = tensor.expand_shape %99 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 2] : tensor<2x1x2xf32> into tensor<1x2x1x2xf32>
    %105 = tensor.collapse_shape %context [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x1x2xf32> into tensor<1x2x2xf32>
    %106 = tensor.expand_shape %105 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x2x2xf32> into tensor<1x1x2x2xf32>
    %107 = tensor.collapse_shape %106 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x1x4xf32>
    %108 = tensor.collapse_shape %107 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %109 = tensor.empty() : tensor<1x4xf32>
    %110 = linalg.fill ins(%5 : f32) outs(%109 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %111 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%108, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%110 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%112: f32, %113: f32, %114: f32):
      %115 = arith.mulf %112, %113 fastmath<reassoc,contract> : f32
      %116 = arith.addf %114, %115 fastmath<reassoc,contract> : f32
      linalg.yield %116 : f32
    } -> tensor<1x4xf32>
    %117 = tensor.expand_shape %111 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %118 = tensor.empty() : tensor<1x1x4xf32>
    %119 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %117 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%118 : tensor<1x1x4xf32>) {
    ^bb0(%120: f32, %121: f32, %122: f32):
      %123 = arith.addf %120, %121 : f32
      linalg.yield %123 : f32
    } -> tensor<1x1x4xf32>
    %124 = tensor.collapse_shape %119 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %125 = tensor.empty() : tensor<1x8xf32>
    %126 = linalg.fill ins(%5 : f32) outs(%125 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%124, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%126 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%128: f32, %129: f32, %130: f32):
      %131 = arith.mulf %128, %129 fastmath<reassoc,contract> : f32
      %132 = arith.addf %130, %131 fastmath<reassoc,contract> : f32
      linalg.yield %132 : f32
    } -> tensor<1x8xf32>
    %133 = tensor.expand_shape %127 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %134 = bufferization.materialize_in_destination %k in %0 : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    %135 = bufferization.materialize_in_destination %v in %1 : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32>
    %136 = bufferization.materialize_in_destination %133 in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %134, %135, %136 : tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>
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
