builtin.module {
  func.func @forward_1(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %0: tensor<1x1x8xf32> {bufferization.writable = true}) -> tensor<1x1x8xf32> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0 : index
    %2 = arith.constant 7 : index
    %3 = arith.constant 0.000000e+00 : f32
    %4 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %5 = tensor.extract %token_ids[%1, %1] : tensor<1x1xi64>
    %6 = arith.index_cast %5 : i64 to index
    %7 = arith.minsi %6, %2 : index
    %8 = arith.maxsi %7, %1 : index
    %9 = tensor.extract_slice %w_embed[%8, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %x = tensor.expand_shape %9 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %10 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %11 = tensor.empty() : tensor<1x4xf32>
    %12 = linalg.fill ins(%3 : f32) outs(%11 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%12 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%14: f32, %15: f32, %16: f32):
      %17 = arith.mulf %14, %15 fastmath<reassoc,contract> : f32
      %18 = arith.addf %16, %17 fastmath<reassoc,contract> : f32
      linalg.yield %18 : f32
    } -> tensor<1x4xf32>
    %19 = tensor.expand_shape %13 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %20 = tensor.expand_shape %19 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %21 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %22 = tensor.empty() : tensor<1x4xf32>
    %23 = linalg.fill ins(%3 : f32) outs(%22 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%23 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%25: f32, %26: f32, %27: f32):
      %28 = arith.mulf %25, %26 fastmath<reassoc,contract> : f32
      %29 = arith.addf %27, %28 fastmath<reassoc,contract> : f32
      linalg.yield %29 : f32
    } -> tensor<1x4xf32>
    %30 = tensor.expand_shape %24 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %31 = tensor.expand_shape %30 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %32 = tensor.collapse_shape %x [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %33 = tensor.empty() : tensor<1x4xf32>
    %34 = linalg.fill ins(%3 : f32) outs(%33 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%34 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%36: f32, %37: f32, %38: f32):
      %39 = arith.mulf %36, %37 fastmath<reassoc,contract> : f32
      %40 = arith.addf %38, %39 fastmath<reassoc,contract> : f32
      linalg.yield %40 : f32
    } -> tensor<1x4xf32>
    %41 = tensor.expand_shape %35 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %42 = tensor.expand_shape %41 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x1x4xf32> into tensor<1x1x2x2xf32>
    %43 = tensor.collapse_shape %20 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %44 = tensor.expand_shape %43 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<2x2xf32> into tensor<2x1x2xf32>
    %45 = tensor.collapse_shape %31 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %46 = tensor.expand_shape %45 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 2, 1] : tensor<2x2xf32> into tensor<2x2x1xf32>
    %47 = tensor.empty() : tensor<2x1x1xf32>
    %48 = linalg.fill ins(%3 : f32) outs(%47 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44, %46 : tensor<2x1x2xf32>, tensor<2x2x1xf32>) outs(%48 : tensor<2x1x1xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x1x2_f32"} {
    ^bb0(%50: f32, %51: f32, %52: f32):
      %53 = arith.mulf %50, %51 fastmath<reassoc,contract> : f32
      %54 = arith.addf %52, %53 fastmath<reassoc,contract> : f32
      linalg.yield %54 : f32
    } -> tensor<2x1x1xf32>
    %55 = tensor.expand_shape %49 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 1] : tensor<2x1x1xf32> into tensor<1x2x1x1xf32>
    %56 = tensor.empty() : tensor<1x2x1x1xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x1x1xf32>) outs(%56 : tensor<1x2x1x1xf32>) {
    ^bb0(%57: f32, %58: f32):
      %59 = arith.mulf %57, %w_scale_1 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x1x1xf32>
    %60 = tensor.empty() : tensor<1x1xi8>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%60 : tensor<1x1xi8>) {
    ^bb0(%62: i8):
      %63 = linalg.index 1 : index
      %64 = arith.index_cast %63 : index to i64
      %65 = linalg.index 0 : index
      %66 = arith.index_cast %65 : index to i64
      %67 = arith.cmpi sle, %64, %66 : i64
      %68 = arith.extui %67 : i1 to i8
      linalg.yield %68 : i8
    } -> tensor<1x1xi8>
    %69 = tensor.empty() : tensor<1x2x1x1xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %scores : tensor<1x1xi8>, tensor<1x2x1x1xf32>) outs(%69 : tensor<1x2x1x1xf32>) {
    ^bb0(%71: i8, %72: f32, %73: f32):
      %74 = arith.constant 0 : i8
      %75 = arith.cmpi ne, %71, %74 : i8
      %76 = arith.constant 0xff800000 : f32
      %77 = arith.select %75, %72, %76 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x1x1xf32>
    %78 = tensor.empty() : tensor<1x2x1xf32>
    %79 = linalg.fill ins(%4 : f32) outs(%78 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %80 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x1x1xf32>) outs(%79 : tensor<1x2x1xf32>) {
    ^bb0(%81: f32, %82: f32):
      %83 = arith.maximumf %82, %81 : f32
      linalg.yield %83 : f32
    } -> tensor<1x2x1xf32>
    %84 = tensor.empty() : tensor<1x2x1x1xf32>
    %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %80 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%84 : tensor<1x2x1x1xf32>) {
    ^bb0(%86: f32, %87: f32, %88: f32):
      %89 = arith.constant 0xff800000 : f32
      %90 = arith.cmpf oeq, %87, %89 : f32
      %91 = arith.constant 0.000000e+00 : f32
      %92 = arith.select %90, %91, %87 : f32
      %93 = arith.subf %86, %92 : f32
      %94 = func.call @kina.exp.f32(%93) : (f32) -> f32
      linalg.yield %94 : f32
    } -> tensor<1x2x1x1xf32>
    %95 = tensor.empty() : tensor<1x2x1xf32>
    %96 = linalg.fill ins(%3 : f32) outs(%95 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%85 : tensor<1x2x1x1xf32>) outs(%96 : tensor<1x2x1xf32>) {
    ^bb0(%98: f32, %99: f32):
      %100 = arith.addf %99, %98 fastmath<reassoc> : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x1xf32>
    %101 = tensor.empty() : tensor<1x2x1x1xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %97 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%101 : tensor<1x2x1x1xf32>) {
    ^bb0(%102: f32, %103: f32, %104: f32):
      %105 = arith.constant 0.000000e+00 : f32
      %106 = arith.cmpf oeq, %103, %105 : f32
      %107 = arith.constant 1.000000e+00 : f32
      %108 = arith.select %106, %107, %103 : f32
      %109 = arith.divf %102, %108 : f32
      linalg.yield %109 : f32
    } -> tensor<1x2x1x1xf32>
    %110 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x1xf32> into tensor<2x1x1xf32>
    %111 = tensor.collapse_shape %42 [[0 : i64, 1 : i64, 2 : i64], [3 : i64]] : tensor<1x1x2x2xf32> into tensor<2x2xf32>
    %112 = tensor.expand_shape %111 [[0 : i64], [1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<2x2xf32> into tensor<2x1x2xf32>
    %113 = tensor.empty() : tensor<2x1x2xf32>
    %114 = linalg.fill ins(%3 : f32) outs(%113 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%110, %112 : tensor<2x1x1xf32>, tensor<2x1x2xf32>) outs(%114 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x1_f32"} {
    ^bb0(%116: f32, %117: f32, %118: f32):
      %119 = arith.mulf %116, %117 fastmath<reassoc,contract> : f32
      %120 = arith.addf %118, %119 fastmath<reassoc,contract> : f32
      linalg.yield %120 : f32
    } -> tensor<2x1x2xf32>
    %context = tensor.expand_shape %115 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 2] : tensor<2x1x2xf32> into tensor<1x2x1x2xf32>
    %121 = tensor.collapse_shape %context [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x1x2xf32> into tensor<1x2x2xf32>
    %122 = tensor.expand_shape %121 [[0 : i64], [1 : i64, 2 : i64], [3 : i64]] output_shape [1, 1, 2, 2] : tensor<1x2x2xf32> into tensor<1x1x2x2xf32>
    %123 = tensor.collapse_shape %122 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x1x2x2xf32> into tensor<1x1x4xf32>
    %124 = tensor.collapse_shape %123 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %125 = tensor.empty() : tensor<1x4xf32>
    %126 = linalg.fill ins(%3 : f32) outs(%125 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%124, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%126 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%128: f32, %129: f32, %130: f32):
      %131 = arith.mulf %128, %129 fastmath<reassoc,contract> : f32
      %132 = arith.addf %130, %131 fastmath<reassoc,contract> : f32
      linalg.yield %132 : f32
    } -> tensor<1x4xf32>
    %133 = tensor.expand_shape %127 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %134 = tensor.empty() : tensor<1x1x4xf32>
    %135 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %133 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%134 : tensor<1x1x4xf32>) {
    ^bb0(%136: f32, %137: f32, %138: f32):
      %139 = arith.addf %136, %137 : f32
      linalg.yield %139 : f32
    } -> tensor<1x1x4xf32>
    %140 = tensor.collapse_shape %135 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %141 = tensor.empty() : tensor<1x8xf32>
    %142 = linalg.fill ins(%3 : f32) outs(%141 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%140, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%142 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%144: f32, %145: f32, %146: f32):
      %147 = arith.mulf %144, %145 fastmath<reassoc,contract> : f32
      %148 = arith.addf %146, %147 fastmath<reassoc,contract> : f32
      linalg.yield %148 : f32
    } -> tensor<1x8xf32>
    %149 = tensor.expand_shape %143 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %150 = bufferization.materialize_in_destination %149 in %0 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %150 : tensor<1x1x8xf32>
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
