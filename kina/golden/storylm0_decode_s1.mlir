builtin.module {
  func.func @decode_s1(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %k_past: tensor<1x2x2x1xf32> {bufferization.writable = false}, %v_past: tensor<1x2x1x2xf32> {bufferization.writable = false}, %0: tensor<1x2x2x2xf32> {bufferization.writable = true}, %1: tensor<1x2x2x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
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
    %47 = tensor.empty() : tensor<1x2x2x2xf32>
    %48 = tensor.insert_slice %k_past into %47[0, 0, 0, 0] [1, 2, 2, 1] [1, 1, 1, 1] : tensor<1x2x2x1xf32> into tensor<1x2x2x2xf32>
    %k_next = tensor.insert_slice %k into %48[0, 0, 0, 1] [1, 2, 2, 1] [1, 1, 1, 1] : tensor<1x2x2x1xf32> into tensor<1x2x2x2xf32>
    %49 = tensor.empty() : tensor<1x2x2x2xf32>
    %50 = tensor.insert_slice %v_past into %49[0, 0, 0, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> into tensor<1x2x2x2xf32>
    %v_next = tensor.insert_slice %v into %50[0, 0, 1, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> into tensor<1x2x2x2xf32>
    %51 = tensor.collapse_shape %22 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %52 = tensor.expand_shape %51 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<2x2xf32> into tensor<2x1x2xf32>
    %53 = tensor.collapse_shape %k_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %54 = tensor.empty() : tensor<2x1x2xf32>
    %55 = linalg.fill ins(%5 : f32) outs(%54 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52, %53 : tensor<2x1x2xf32>, tensor<2x2x2xf32>) outs(%55 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x2_f32"} {
    ^bb0(%57: f32, %58: f32, %59: f32):
      %60 = arith.mulf %57, %58 fastmath<reassoc,contract> : f32
      %61 = arith.addf %59, %60 fastmath<reassoc,contract> : f32
      linalg.yield %61 : f32
    } -> tensor<2x1x2xf32>
    %scores = tensor.expand_shape %56 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 2] : tensor<2x1x2xf32> into tensor<1x2x1x2xf32>
    %62 = tensor.empty() : tensor<1x2x1x2xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores : tensor<1x2x1x2xf32>) outs(%62 : tensor<1x2x1x2xf32>) {
    ^bb0(%64: f32, %65: f32):
      %66 = arith.mulf %64, %w_scale_1 : f32
      linalg.yield %66 : f32
    } -> tensor<1x2x1x2xf32>
    %67 = tensor.empty() : tensor<1x2x1xf32>
    %68 = linalg.fill ins(%6 : f32) outs(%67 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x2x1x2xf32>) outs(%68 : tensor<1x2x1xf32>) {
    ^bb0(%70: f32, %71: f32):
      %72 = arith.maximumf %71, %70 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x1xf32>
    %73 = tensor.empty() : tensor<1x2x1x2xf32>
    %74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %69 : tensor<1x2x1x2xf32>, tensor<1x2x1xf32>) outs(%73 : tensor<1x2x1x2xf32>) {
    ^bb0(%75: f32, %76: f32, %77: f32):
      %78 = arith.constant 0xff800000 : f32
      %79 = arith.cmpf oeq, %76, %78 : f32
      %80 = arith.constant 0.000000e+00 : f32
      %81 = arith.select %79, %80, %76 : f32
      %82 = arith.subf %75, %81 : f32
      %83 = func.call @kina.exp.f32(%82) : (f32) -> f32
      linalg.yield %83 : f32
    } -> tensor<1x2x1x2xf32>
    %84 = tensor.empty() : tensor<1x2x1xf32>
    %85 = linalg.fill ins(%5 : f32) outs(%84 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%74 : tensor<1x2x1x2xf32>) outs(%85 : tensor<1x2x1xf32>) {
    ^bb0(%87: f32, %88: f32):
      %89 = arith.addf %88, %87 fastmath<reassoc> : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x1xf32>
    %90 = tensor.empty() : tensor<1x2x1x2xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %86 : tensor<1x2x1x2xf32>, tensor<1x2x1xf32>) outs(%90 : tensor<1x2x1x2xf32>) {
    ^bb0(%91: f32, %92: f32, %93: f32):
      %94 = arith.constant 0.000000e+00 : f32
      %95 = arith.cmpf oeq, %92, %94 : f32
      %96 = arith.constant 1.000000e+00 : f32
      %97 = arith.select %95, %96, %92 : f32
      %98 = arith.divf %91, %97 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x1x2xf32>
    %99 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x2xf32> into tensor<2x1x2xf32>
    %100 = tensor.collapse_shape %v_next [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %101 = tensor.empty() : tensor<2x1x2xf32>
    %102 = linalg.fill ins(%5 : f32) outs(%101 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %103 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%99, %100 : tensor<2x1x2xf32>, tensor<2x2x2xf32>) outs(%102 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x2_f32"} {
    ^bb0(%104: f32, %105: f32, %106: f32):
      %107 = arith.mulf %104, %105 fastmath<reassoc,contract> : f32
      %108 = arith.addf %106, %107 fastmath<reassoc,contract> : f32
      linalg.yield %108 : f32
    } -> tensor<2x1x2xf32>
    %context = tensor.expand_shape %103 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 2] : tensor<2x1x2xf32> into tensor<1x2x1x2xf32>
    %109 = tensor.collapse_shape %context [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x1x2xf32> into tensor<1x2x2xf32>
    %110 = tensor.expand_shape %109 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x2x2xf32> into tensor<1x1x2x2xf32>
    %111 = tensor.collapse_shape %110 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x1x4xf32>
    %112 = tensor.collapse_shape %111 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %113 = tensor.empty() : tensor<1x4xf32>
    %114 = linalg.fill ins(%5 : f32) outs(%113 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%112, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%114 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%116: f32, %117: f32, %118: f32):
      %119 = arith.mulf %116, %117 fastmath<reassoc,contract> : f32
      %120 = arith.addf %118, %119 fastmath<reassoc,contract> : f32
      linalg.yield %120 : f32
    } -> tensor<1x4xf32>
    %121 = tensor.expand_shape %115 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %122 = tensor.empty() : tensor<1x1x4xf32>
    %123 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %121 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%122 : tensor<1x1x4xf32>) {
    ^bb0(%124: f32, %125: f32, %126: f32):
      %127 = arith.addf %124, %125 : f32
      linalg.yield %127 : f32
    } -> tensor<1x1x4xf32>
    %128 = tensor.collapse_shape %123 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %129 = tensor.empty() : tensor<1x8xf32>
    %130 = linalg.fill ins(%5 : f32) outs(%129 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %131 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%128, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%130 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%132: f32, %133: f32, %134: f32):
      %135 = arith.mulf %132, %133 fastmath<reassoc,contract> : f32
      %136 = arith.addf %134, %135 fastmath<reassoc,contract> : f32
      linalg.yield %136 : f32
    } -> tensor<1x8xf32>
    %137 = tensor.expand_shape %131 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %138 = bufferization.materialize_in_destination %k_next in %0 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %139 = bufferization.materialize_in_destination %v_next in %1 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
    %140 = bufferization.materialize_in_destination %137 in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %138, %139, %140 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x1x8xf32>
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
