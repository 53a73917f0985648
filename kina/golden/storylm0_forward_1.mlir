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
    %10 = tensor.empty() : tensor<1x4xf32>
    %11 = linalg.fill ins(%3 : f32) outs(%10 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9, %w_wq : tensor<1x4xf32>, tensor<4x4xf32>) outs(%11 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%13: f32, %14: f32, %15: f32):
      %16 = arith.mulf %13, %14 fastmath<reassoc,contract> : f32
      %17 = arith.addf %15, %16 fastmath<reassoc,contract> : f32
      linalg.yield %17 : f32
    } -> tensor<1x4xf32>
    %18 = tensor.empty() : tensor<1x4xf32>
    %19 = linalg.fill ins(%3 : f32) outs(%18 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9, %w_wk : tensor<1x4xf32>, tensor<4x4xf32>) outs(%19 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%21: f32, %22: f32, %23: f32):
      %24 = arith.mulf %21, %22 fastmath<reassoc,contract> : f32
      %25 = arith.addf %23, %24 fastmath<reassoc,contract> : f32
      linalg.yield %25 : f32
    } -> tensor<1x4xf32>
    %26 = tensor.empty() : tensor<1x4xf32>
    %27 = linalg.fill ins(%3 : f32) outs(%26 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9, %w_wv : tensor<1x4xf32>, tensor<4x4xf32>) outs(%27 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%29: f32, %30: f32, %31: f32):
      %32 = arith.mulf %29, %30 fastmath<reassoc,contract> : f32
      %33 = arith.addf %31, %32 fastmath<reassoc,contract> : f32
      linalg.yield %33 : f32
    } -> tensor<1x4xf32>
    %34 = tensor.collapse_shape %12 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %35 = tensor.expand_shape %34 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %36 = tensor.collapse_shape %20 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %37 = tensor.expand_shape %36 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 2, 1] : tensor<4xf32> into tensor<2x2x1xf32>
    %38 = tensor.empty() : tensor<2x1x1xf32>
    %39 = linalg.fill ins(%3 : f32) outs(%38 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35, %37 : tensor<2x1x2xf32>, tensor<2x2x1xf32>) outs(%39 : tensor<2x1x1xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x1x2_f32"} {
    ^bb0(%41: f32, %42: f32, %43: f32):
      %44 = arith.mulf %41, %42 fastmath<reassoc,contract> : f32
      %45 = arith.addf %43, %44 fastmath<reassoc,contract> : f32
      linalg.yield %45 : f32
    } -> tensor<2x1x1xf32>
    %46 = tensor.expand_shape %40 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 1, 1] : tensor<2x1x1xf32> into tensor<1x2x1x1xf32>
    %47 = tensor.empty() : tensor<1x2x1x1xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x2x1x1xf32>) outs(%47 : tensor<1x2x1x1xf32>) {
    ^bb0(%48: f32, %49: f32):
      %50 = arith.mulf %48, %w_scale_1 : f32
      linalg.yield %50 : f32
    } -> tensor<1x2x1x1xf32>
    %51 = tensor.empty() : tensor<1x1xi8>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%51 : tensor<1x1xi8>) {
    ^bb0(%53: i8):
      %54 = linalg.index 1 : index
      %55 = arith.index_cast %54 : index to i64
      %56 = linalg.index 0 : index
      %57 = arith.index_cast %56 : index to i64
      %58 = arith.cmpi sle, %55, %57 : i64
      %59 = arith.extui %58 : i1 to i8
      linalg.yield %59 : i8
    } -> tensor<1x1xi8>
    %60 = tensor.empty() : tensor<1x2x1x1xf32>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %scores : tensor<1x1xi8>, tensor<1x2x1x1xf32>) outs(%60 : tensor<1x2x1x1xf32>) {
    ^bb0(%62: i8, %63: f32, %64: f32):
      %65 = arith.constant 0 : i8
      %66 = arith.cmpi ne, %62, %65 : i8
      %67 = arith.constant 0xff800000 : f32
      %68 = arith.select %66, %63, %67 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x1x1xf32>
    %69 = tensor.empty() : tensor<1x2x1xf32>
    %70 = linalg.fill ins(%4 : f32) outs(%69 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<1x2x1x1xf32>) outs(%70 : tensor<1x2x1xf32>) {
    ^bb0(%72: f32, %73: f32):
      %74 = arith.maximumf %73, %72 : f32
      linalg.yield %74 : f32
    } -> tensor<1x2x1xf32>
    %75 = tensor.empty() : tensor<1x2x1x1xf32>
    %76 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %71 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%75 : tensor<1x2x1x1xf32>) {
    ^bb0(%77: f32, %78: f32, %79: f32):
      %80 = arith.constant 0xff800000 : f32
      %81 = arith.cmpf oeq, %78, %80 : f32
      %82 = arith.constant 0.000000e+00 : f32
      %83 = arith.select %81, %82, %78 : f32
      %84 = arith.subf %77, %83 : f32
      %85 = func.call @kina.exp.f32(%84) : (f32) -> f32
      linalg.yield %85 : f32
    } -> tensor<1x2x1x1xf32>
    %86 = tensor.empty() : tensor<1x2x1xf32>
    %87 = linalg.fill ins(%3 : f32) outs(%86 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%76 : tensor<1x2x1x1xf32>) outs(%87 : tensor<1x2x1xf32>) {
    ^bb0(%89: f32, %90: f32):
      %91 = arith.addf %90, %89 fastmath<reassoc> : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x1xf32>
    %92 = tensor.empty() : tensor<1x2x1x1xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %88 : tensor<1x2x1x1xf32>, tensor<1x2x1xf32>) outs(%92 : tensor<1x2x1x1xf32>) {
    ^bb0(%93: f32, %94: f32, %95: f32):
      %96 = arith.constant 0.000000e+00 : f32
      %97 = arith.cmpf oeq, %94, %96 : f32
      %98 = arith.constant 1.000000e+00 : f32
      %99 = arith.select %97, %98, %94 : f32
      %100 = arith.divf %93, %99 : f32
      linalg.yield %100 : f32
    } -> tensor<1x2x1x1xf32>
    %101 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x1x1xf32> into tensor<2x1x1xf32>
    %102 = tensor.collapse_shape %28 [[0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
    %103 = tensor.expand_shape %102 [[0 : i64, 1 : i64, 2 : i64]] output_shape [2, 1, 2] : tensor<4xf32> into tensor<2x1x2xf32>
    %104 = tensor.empty() : tensor<2x1x2xf32>
    %105 = linalg.fill ins(%3 : f32) outs(%104 : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
    %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%101, %103 : tensor<2x1x1xf32>, tensor<2x1x2xf32>) outs(%105 : tensor<2x1x2xf32>) attrs =  {kina.op = "batch_matvec_nn_2x1x2x1_f32"} {
    ^bb0(%107: f32, %108: f32, %109: f32):
      %110 = arith.mulf %107, %108 fastmath<reassoc,contract> : f32
      %111 = arith.addf %109, %110 fastmath<reassoc,contract> : f32
      linalg.yield %111 : f32
    } -> tensor<2x1x2xf32>
    %112 = tensor.collapse_shape %106 [[0 : i64, 1 : i64, 2 : i64]] : tensor<2x1x2xf32> into tensor<4xf32>
    %113 = tensor.expand_shape %112 [[0 : i64, 1 : i64]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %114 = tensor.empty() : tensor<1x4xf32>
    %115 = linalg.fill ins(%3 : f32) outs(%114 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %116 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%113, %w_wo : tensor<1x4xf32>, tensor<4x4xf32>) outs(%115 : tensor<1x4xf32>) attrs =  {kina.op = "matvec_nn_1x4x4_f32"} {
    ^bb0(%117: f32, %118: f32, %119: f32):
      %120 = arith.mulf %117, %118 fastmath<reassoc,contract> : f32
      %121 = arith.addf %119, %120 fastmath<reassoc,contract> : f32
      linalg.yield %121 : f32
    } -> tensor<1x4xf32>
    %122 = tensor.expand_shape %116 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 4] : tensor<1x4xf32> into tensor<1x1x4xf32>
    %123 = tensor.empty() : tensor<1x1x4xf32>
    %124 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %122 : tensor<1x1x4xf32>, tensor<1x1x4xf32>) outs(%123 : tensor<1x1x4xf32>) {
    ^bb0(%125: f32, %126: f32, %127: f32):
      %128 = arith.addf %125, %126 : f32
      linalg.yield %128 : f32
    } -> tensor<1x1x4xf32>
    %129 = tensor.collapse_shape %124 [[0 : i64], [1 : i64, 2 : i64]] : tensor<1x1x4xf32> into tensor<1x4xf32>
    %130 = tensor.empty() : tensor<1x8xf32>
    %131 = linalg.fill ins(%3 : f32) outs(%130 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%129, %w_lm_head : tensor<1x4xf32>, tensor<4x8xf32>) outs(%131 : tensor<1x8xf32>) attrs =  {kina.op = "matvec_nn_1x8x4_f32"} {
    ^bb0(%133: f32, %134: f32, %135: f32):
      %136 = arith.mulf %133, %134 fastmath<reassoc,contract> : f32
      %137 = arith.addf %135, %136 fastmath<reassoc,contract> : f32
      linalg.yield %137 : f32
    } -> tensor<1x8xf32>
    %138 = tensor.expand_shape %132 [[0 : i64], [1 : i64, 2 : i64]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
    %139 = bufferization.materialize_in_destination %138 in %0 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %139 : tensor<1x1x8xf32>
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
