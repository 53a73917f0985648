builtin.module {
  func.func @prefill_1(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x1xi64> {bufferization.writable = false}, %0: tensor<1x2x2x1xf32> {bufferization.writable = true}, %1: tensor<1x2x1x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
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
    %48 = tensor.expand_shape %42 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 1] : tensor<2x1x1xf32> into tensor<1x2x1x1xf32>
    %49 = tensor.empty() : tensor<1x2x1x1xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x2x1x1xf32>) outs(%49 : tensor<1x2x1x1xf32>) {
    ^bb0(%50: f32, %51: f32):
      %52 = arith.mulf %50, %w_scale_1 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x1x1xf32>
    %53 = tensor.empty() : tensor<1x1xi8>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%53 : tensor<1x1xi8>) {
    ^bb0(%55: i8):
      %56 = linalg.index 1 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = linalg.index 0 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.cmpi sle, %57, %59 : i64
      %61 = arith.extui %60 : i1 to i8
      linalg.yield %61 : i8
    } -> tensor<1x1xi8>
    %62 = tensor.empty() : tensor<1x2x1x1xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %scores : tensor<1x1xi8>, tensor<1x2x1x1xf32>) outs(%62 : tensor<1x2x1x1xf32>) {
    ^bb0(%64: i8, %65: f32, %66: f32):
      %67 = arith.constant 0 : i8
      %68 = arith.cmpi ne, %64, %67 : i8
      %69 = arith.constant 0xff800000 : f32
      %70 = arith.select %68, %65, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x1x1xf32>
    %71 = tensor.empty() : tensor<1x2x1xf32>
    %72 = linalg.fill ins(%6 : f32) outs(%71 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x2x1x1xf32>) outs(%72 : tensor<1x2x1xf32>) {
    ^bb0(%74: f32, %75: f32):
      %76 = arith.maximumf %75, %74 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x1xf32>
    %77 = tensor.empty() : tensor<1x2x1x1xf32>
    %78 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %73 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%77 : tensor<1x2x1x1xf32>) {
    ^bb0(%79: f32, %80: f32, %81: f32):
      %82 = arith.constant 0xff800000 : f32
      %83 = arith.cmpf oeq, %80, %82 : f32
      %84 = arith.constant 0.000000e+00 : f32
      %85 = arith.select %83, %84, %80 : f32
      %86 = arith.subf %79, %85 : f32
      %87 = func.call @kina.exp.f32(%86) : (f32) -> f32
      linalg.yield %87 : f32
    } -> tensor<1x2x1x1xf32>
    %88 = tensor.empty() : tensor<1x2x1xf32>
    %89 = linalg.fill ins(%5 : f32) outs(%88 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78 : tensor<1x2x1x1xf32>) outs(%89 : tensor<1x2x1xf32>) {
    ^bb0(%91: f32, %92: f32):
      %93 = arith.addf %92, %91 fastmath<reassoc> : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x1xf32>
    %94 = tensor.empty() : tensor<1x2x1x1xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %90 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%94 : tensor<1x2x1x1xf32>) {
    ^bb0(%95: f32, %96: f32, %97: f32):
      %98 = arith.constant 0.000000e+00 : f32
      %99 = arith.cmpf oeq, %96, %98 : f32
      %100 = arith.constant 1.000000e+00 : f32
      %101 = arith.select %99, %100, %96 : f32
      %102 = arith.divf %95, %101 : f32
      linalg.yield %102 : f32
    } -> tensor<1x2x1x1xf32>
    %103 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x1xf32> into tensor<2x1x1xf32>
    %104 = tensor.collapse_shape %30 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %105 = tensor.expand_shape %104 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %106 = tensor.empty() : tensor<2x1x2xf32>
    %107 = linalg.fill ins(%5 : f32) outs(%106 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%103, %105 : tensor<2x1x1xf32>, tensor<2x1x2xf32>) outs(%107 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x1_f32"} {
    ^bb0(%109: f32, %110: f32, %111: f32):
      %112 = arith.mulf %109, %110 fastmath<reassoc,contract> : f32
      %113 = arith.addf %111, %112 fastmath<reassoc,contract> : f32
      linalg.yield %113 : f32
    } -> tensor<2x1x2xf32>
    %114 = tensor.collapse_shape %108 [[0 : i64, 1 : i64, 2 : i64]] : tensor<2x1x2xf32> into tensor<4xf32>
    %115 = tensor.expand_shape %114 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %116 = tensor.empty() : tensor<1x4xf32>
    %117 = linalg.fill ins(%5 : f32) outs(%116 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %118 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%115, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%117 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%119: f32, %120: f32, %121: f32):
      %122 = arith.mulf %119, %120 fastmath<reassoc,contract> : f32
      %123 = arith.addf %121, %122 fastmath<reassoc,contract> : f32
      linalg.yield %123 : f32
    } -> tensor<1x4xf32>
    %124 = tensor.expand_shape %118 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %125 = tensor.empty() : tensor<1x1x4xf32>
    %126 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %124 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%125 : tensor<1x1x4xf32>) {
    ^bb0(%127: f32, %128: f32, %129: f32):
      %130 = arith.addf %127, %128 : f32
      linalg.yield %130 : f32
    } -> tensor<1x1x4xf32>
    %131 = tensor.collapse_shape %126 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %132 = tensor.empty() : tensor<1x8xf32>
    %133 = linalg.fill ins(%5 : f32) outs(%132 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %134 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%131, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%133 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%135: f32, %136: f32, %137: f32):
      %138 = arith.mulf %135, %136 fastmath<reassoc,contract> : f32
      %139 = arith.addf %137, %138 fastmath<reassoc,contract> : f32
      linalg.yield %139 : f32
    } -> tensor<1x8xf32>
    %all = tensor.expand_shape %134 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %140 = tensor.expand_shape %22 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 2, 1] : tensor<1x4xf32> into tensor<1x2x2x1xf32>
    %141 = tensor.expand_shape %30 [[0 : i64], [1 : i64, 2 : i64, 3 : i64]] output_shape [1, 2, 1, 2] : tensor<1x4xf32> into tensor<1x2x1x2xf32>
    %142 = bufferization.materialize_in_destination %140 in %0 : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    %143 = bufferization.materialize_in_destination %141 in %1 : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32>
    %144 = bufferization.materialize_in_destination %all in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %142, %143, %144 : tensor<1x2x2x1xf32>, tensor<1x2x1x2xf32>, tensor<1x1x8xf32>
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
