builtin.module {
  func.func @decode_scratch(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %length: tensor<i64> {bufferization.writable = false}, %k_scratch: tensor<1x2x2x32xf32> {bufferization.writable = true}, %v_scratch: tensor<1x2x32x2xf32> {bufferization.writable = true}, %0: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x32xf32>, tensor<1x2x32x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0 : index
    %2 = arith.constant 7 : index
    %3 = arith.constant 0.000000e+00 : f32
    %4 = arith.constant 31 : index
    %5 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %length_1 = tensor.extract %length[] : tensor<i64>
    %6 = tensor.extract %token_ids[%1, %1] : tensor<1x1xi64>
    %7 = arith.index_cast %6 : i64 to index
    %8 = arith.minsi %7, %2 : index
    %9 = arith.maxsi %8, %1 : index
    %10 = tensor.extract_slice %w_embed[%9, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %x = tensor.expand_shape %10 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %11 = tensor.empty() : tensor<1x4xf32>
    %12 = linalg.fill ins(%3 : f32) outs(%11 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%12 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%14: f32, %15: f32, %16: f32):
      %17 = arith.mulf %14, %15 fastmath<reassoc,contract> : f32
      %18 = arith.addf %16, %17 fastmath<reassoc,contract> : f32
      linalg.yield %18 : f32
    } -> tensor<1x4xf32>
    %19 = tensor.empty() : tensor<1x4xf32>
    %20 = linalg.fill ins(%3 : f32) outs(%19 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%20 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%22: f32, %23: f32, %24: f32):
      %25 = arith.mulf %22, %23 fastmath<reassoc,contract> : f32
      %26 = arith.addf %24, %25 fastmath<reassoc,contract> : f32
      linalg.yield %26 : f32
    } -> tensor<1x4xf32>
    %k = tensor.expand_shape %21 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x4xf32> into tensor<1x2x2x1xf32>
    %27 = tensor.empty() : tensor<1x4xf32>
    %28 = linalg.fill ins(%3 : f32) outs(%27 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%28 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%30: f32, %31: f32, %32: f32):
      %33 = arith.mulf %30, %31 fastmath<reassoc,contract> : f32
      %34 = arith.addf %32, %33 fastmath<reassoc,contract> : f32
      linalg.yield %34 : f32
    } -> tensor<1x4xf32>
    %v = tensor.expand_shape %29 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x4xf32> into tensor<1x2x1x2xf32>
    %35 = arith.index_cast %length_1 : i64 to index
    %36 = arith.minsi %35, %4 : index
    %37 = arith.maxsi %36, %1 : index
    %k_1 = tensor.insert_slice %k into %k_scratch[0, 0, 0, %37] [1, 2, 2, 1] [1, 1, 1, 1] : tensor<1x2x2x1xf32> into tensor<1x2x2x32xf32>
    %38 = arith.minsi %35, %4 : index
    %39 = arith.maxsi %38, %1 : index
    %v_1 = tensor.insert_slice %v into %v_scratch[0, 0, %39, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x2xf32> into tensor<1x2x32x2xf32>
    %40 = tensor.collapse_shape %13 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %41 = tensor.expand_shape %40 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %42 = tensor.collapse_shape %k_1 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x32xf32> into tensor<2x2x32xf32>
    %43 = tensor.empty() : tensor<2x1x32xf32>
    %44 = linalg.fill ins(%3 : f32) outs(%43 : tensor<2x1x32xf32>) -> tensor<2x1x32xf32>
    %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41, %42 : tensor<2x1x2xf32>, tensor<2x2x32xf32>) outs(%44 : tensor<2x1x32xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x32x2_f32"} {
    ^bb0(%46: f32, %47: f32, %48: f32):
      %49 = arith.mulf %46, %47 fastmath<reassoc,contract> : f32
      %50 = arith.addf %48, %49 fastmath<reassoc,contract> : f32
      linalg.yield %50 : f32
    } -> tensor<2x1x32xf32>
    %51 = tensor.expand_shape %45 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 32] : tensor<2x1x32xf32> into tensor<1x2x1x32xf32>
    %52 = tensor.empty() : tensor<1x2x1x32xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x2x1x32xf32>) outs(%52 : tensor<1x2x1x32xf32>) {
    ^bb0(%53: f32, %54: f32):
      %55 = arith.mulf %53, %w_scale_1 : f32
      linalg.yield %55 : f32
    } -> tensor<1x2x1x32xf32>
    %56 = tensor.empty() : tensor<1x2x1x32xi8>
    %seen = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%56 : tensor<1x2x1x32xi8>) {
    ^bb0(%57: i8):
      %58 = linalg.index 3 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.cmpi sle, %59, %length_1 : i64
      %61 = arith.extui %60 : i1 to i8
      linalg.yield %61 : i8
    } -> tensor<1x2x1x32xi8>
    %62 = tensor.empty() : tensor<1x2x1x32xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%seen, %scores : tensor<1x2x1x32xi8>, tensor<1x2x1x32xf32>) outs(%62 : tensor<1x2x1x32xf32>) {
    ^bb0(%64: i8, %65: f32, %66: f32):
      %67 = arith.constant 0 : i8
      %68 = arith.cmpi ne, %64, %67 : i8
      %69 = arith.constant 0xff800000 : f32
      %70 = arith.select %68, %65, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x1x32xf32>
    %71 = tensor.empty() : tensor<1x2x1xf32>
    %72 = linalg.fill ins(%5 : f32) outs(%71 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x2x1x32xf32>) outs(%72 : tensor<1x2x1xf32>) {
    ^bb0(%74: f32, %75: f32):
      %76 = arith.maximumf %75, %74 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x1xf32>
    %77 = tensor.empty() : tensor<1x2x1x32xf32>
    %78 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %73 : tensor<1x2x1x32xf32>, tensor<1x2x1xf32>) outs(%77 : tensor<1x2x1x32xf32>) {
    ^bb0(%79: f32, %80: f32, %81: f32):
      %82 = arith.constant 0xff800000 : f32
      %83 = arith.cmpf oeq, %80, %82 : f32
      %84 = arith.constant 0.000000e+00 : f32
      %85 = arith.select %83, %84, %80 : f32
      %86 = arith.subf %79, %85 : f32
      %87 = func.call @kina.exp.f32(%86) : (f32) -> f32
      linalg.yield %87 : f32
    } -> tensor<1x2x1x32xf32>
    %88 = tensor.empty() : tensor<1x2x1xf32>
    %89 = linalg.fill ins(%3 : f32) outs(%88 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<1x2x1x32xf32>) outs(%89 : tensor<1x2x1xf32>) {
    ^bb0(%91: f32, %92: f32):
      %93 = arith.addf %92, %91 fastmath<reassoc> : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x1xf32>
    %94 = tensor.empty() : tensor<1x2x1x32xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %90 : tensor<1x2x1x32xf32>, tensor<1x2x1xf32>) outs(%94 : tensor<1x2x1x32xf32>) {
    ^bb0(%95: f32, %96: f32, %97: f32):
      %98 = arith.constant 0.000000e+00 : f32
      %99 = arith.cmpf oeq, %96, %98 : f32
      %100 = arith.constant 1.000000e+00 : f32
      %101 = arith.select %99, %100, %96 : f32
      %102 = arith.divf %95, %101 : f32
      linalg.yield %102 : f32
    } -> tensor<1x2x1x32xf32>
    %103 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x32xf32> into tensor<2x1x32xf32>
    %104 = tensor.collapse_shape %v_1 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x32x2xf32> into tensor<2x32x2xf32>
    %105 = tensor.empty() : tensor<2x1x2xf32>
    %106 = linalg.fill ins(%3 : f32) outs(%105 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %107 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%103, %104 : tensor<2x1x32xf32>, tensor<2x32x2xf32>) outs(%106 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x32_f32"} {
    ^bb0(%108: f32, %109: f32, %110: f32):
      %111 = arith.mulf %108, %109 fastmath<reassoc,contract> : f32
      %112 = arith.addf %110, %111 fastmath<reassoc,contract> : f32
      linalg.yield %112 : f32
    } -> tensor<2x1x2xf32>
    %113 = tensor.collapse_shape %107 [[0 : i64, 1 : i64, 2 : i64]] : tensor<2x1x2xf32> into tensor<4xf32>
    %114 = tensor.expand_shape %113 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %115 = tensor.empty() : tensor<1x4xf32>
    %116 = linalg.fill ins(%3 : f32) outs(%115 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%114, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%116 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%118: f32, %119: f32, %120: f32):
      %121 = arith.mulf %118, %119 fastmath<reassoc,contract> : f32
      %122 = arith.addf %120, %121 fastmath<reassoc,contract> : f32
      linalg.yield %122 : f32
    } -> tensor<1x4xf32>
    %123 = tensor.expand_shape %117 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %124 = tensor.empty() : tensor<1x1x4xf32>
    %125 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %123 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%124 : tensor<1x1x4xf32>) {
    ^bb0(%126: f32, %127: f32, %128: f32):
      %129 = arith.addf %126, %127 : f32
      linalg.yield %129 : f32
    } -> tensor<1x1x4xf32>
    %130 = tensor.collapse_shape %125 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %131 = tensor.empty() : tensor<1x8xf32>
    %132 = linalg.fill ins(%3 : f32) outs(%131 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%132 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%134: f32, %135: f32, %136: f32):
      %137 = arith.mulf %134, %135 fastmath<reassoc,contract> : f32
      %138 = arith.addf %136, %137 fastmath<reassoc,contract> : f32
      linalg.yield %138 : f32
    } -> tensor<1x8xf32>
    %139 = tensor.expand_shape %133 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %140 = bufferization.materialize_in_destination %k_1 in %k_scratch : (tensor<1x2x2x32xf32>, tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %141 = bufferization.materialize_in_destination %v_1 in %v_scratch : (tensor<1x2x32x2xf32>, tensor<1x2x32x2xf32>) -> tensor<1x2x32x2xf32>
    %142 = bufferization.materialize_in_destination %139 in %0 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %140, %141, %142 : tensor<1x2x2x32xf32>, tensor<1x2x32x2xf32>, tensor<1x1x8xf32>
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
