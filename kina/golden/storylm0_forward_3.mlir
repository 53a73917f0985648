builtin.module {
  func.func @forward_3(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x3xi64> {bufferization.writable = false}, %0: tensor<1x3x8xf32> {bufferization.writable = true}) -> tensor<1x3x8xf32> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0.000000e+00 : f32
    %2 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %3 = tensor.empty() : tensor<1x3x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x3xi64>) outs(%3 : tensor<1x3x4xf32>) {
    ^bb0(%4: i64, %5: f32):
      %6 = arith.index_cast %4 : i64 to index
      %7 = arith.constant 7 : index
      %8 = arith.minsi %6, %7 : index
      %9 = arith.constant 0 : index
      %10 = arith.maxsi %8, %9 : index
      %11 = linalg.index 2 : index
      %12 = tensor.extract %w_embed[%10, %11] : tensor<8x4xf32>
      linalg.yield %12 : f32
    } -> tensor<1x3x4xf32>
    %13 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x3x4xf32> into tensor<3x4xf32>
    %14 = tensor.empty() : tensor<3x4xf32>
    %15 = linalg.fill ins(%1 : f32) outs(%14 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13, %w_wq : tensor<3x4xf32>, tensor<4x4xf32>) outs(%15 : tensor<3x4xf32>) attrs =  {kina.op = "matmul_nn_3x4x4_f32"} {
    ^bb0(%17: f32, %18: f32, %19: f32):
      %20 = arith.mulf %17, %18 fastmath<reassoc,contract> : f32
      %21 = arith.addf %19, %20 fastmath<reassoc,contract> : f32
      linalg.yield %21 : f32
    } -> tensor<3x4xf32>
    %22 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x3x4xf32> into tensor<3x4xf32>
    %23 = tensor.empty() : tensor<3x4xf32>
    %24 = linalg.fill ins(%1 : f32) outs(%23 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22, %w_wk : tensor<3x4xf32>, tensor<4x4xf32>) outs(%24 : tensor<3x4xf32>) attrs =  {kina.op = "matmul_nn_3x4x4_f32"} {
    ^bb0(%26: f32, %27: f32, %28: f32):
      %29 = arith.mulf %26, %27 fastmath<reassoc,contract> : f32
      %30 = arith.addf %28, %29 fastmath<reassoc,contract> : f32
      linalg.yield %30 : f32
    } -> tensor<3x4xf32>
    %31 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x3x4xf32> into tensor<3x4xf32>
    %32 = tensor.empty() : tensor<3x4xf32>
    %33 = linalg.fill ins(%1 : f32) outs(%32 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31, %w_wv : tensor<3x4xf32>, tensor<4x4xf32>) outs(%33 : tensor<3x4xf32>) attrs =  {kina.op = "matmul_nn_3x4x4_f32"} {
    ^bb0(%35: f32, %36: f32, %37: f32):
      %38 = arith.mulf %35, %36 fastmath<reassoc,contract> : f32
      %39 = arith.addf %37, %38 fastmath<reassoc,contract> : f32
      linalg.yield %39 : f32
    } -> tensor<3x4xf32>
    %40 = tensor.expand_shape %16 [[0 : i64], [1 : i64, 2 : i64]] output_shape [3, 2, 2] : tensor<3x4xf32> into tensor<3x2x2xf32>
    %41 = tensor.empty() : tensor<2x3x2xf32>
    %42 = linalg.transpose ins(%40:tensor<3x2x2xf32>) outs(%41:tensor<2x3x2xf32>) permutation = [1, 0, 2]
    %43 = tensor.expand_shape %25 [[0 : i64], [1 : i64, 2 : i64]] output_shape [3, 2, 2] : tensor<3x4xf32> into tensor<3x2x2xf32>
    %44 = tensor.empty() : tensor<2x2x3xf32>
    %45 = linalg.transpose ins(%43:tensor<3x2x2xf32>) outs(%44:tensor<2x2x3xf32>) permutation = [1, 2, 0]
    %46 = tensor.empty() : tensor<2x3x3xf32>
    %47 = linalg.fill ins(%1 : f32) outs(%46 : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42, %45 : tensor<2x3x2xf32>, tensor<2x2x3xf32>) outs(%47 : tensor<2x3x3xf32>) attrs =  {kina.op = "batch_matmul_nn_2x3x3x2_f32"} {
    ^bb0(%49: f32, %50: f32, %51: f32):
      %52 = arith.mulf %49, %50 fastmath<reassoc,contract> : f32
      %53 = arith.addf %51, %52 fastmath<reassoc,contract> : f32
      linalg.yield %53 : f32
    } -> tensor<2x3x3xf32>
    %54 = tensor.expand_shape %48 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 3, 3] : tensor<2x3x3xf32> into tensor<1x2x3x3xf32>
    %55 = tensor.empty() : tensor<1x2x3x3xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x2x3x3xf32>) outs(%55 : tensor<1x2x3x3xf32>) {
    ^bb0(%56: f32, %57: f32):
      %58 = arith.mulf %56, %w_scale_1 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x3x3xf32>
    %59 = tensor.empty() : tensor<3x3xi8>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%59 : tensor<3x3xi8>) {
    ^bb0(%61: i8):
      %62 = linalg.index 1 : index
      %63 = arith.index_cast %62 : index to i64
      %64 = linalg.index 0 : index
      %65 = arith.index_cast %64 : index to i64
      %66 = arith.cmpi sle, %63, %65 : i64
      %67 = arith.extui %66 : i1 to i8
      linalg.yield %67 : i8
    } -> tensor<3x3xi8>
    %68 = tensor.empty() : tensor<1x2x3x3xf32>
    %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %scores : tensor<3x3xi8>, tensor<1x2x3x3xf32>) outs(%68 : tensor<1x2x3x3xf32>) {
    ^bb0(%70: i8, %71: f32, %72: f32):
      %73 = arith.constant 0 : i8
      %74 = arith.cmpi ne, %70, %73 : i8
      %75 = arith.constant 0xff800000 : f32
      %76 = arith.select %74, %71, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x3x3xf32>
    %77 = tensor.empty() : tensor<1x2x3xf32>
    %78 = linalg.fill ins(%2 : f32) outs(%77 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<1x2x3x3xf32>) outs(%78 : tensor<1x2x3xf32>) {
    ^bb0(%80: f32, %81: f32):
      %82 = arith.maximumf %81, %80 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x3xf32>
    %83 = tensor.empty() : tensor<1x2x3x3xf32>
    %84 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %79 : tensor<1x2x3x3xf32>, tensor<1x2x3xf32>) outs(%83 : tensor<1x2x3x3xf32>) {
    ^bb0(%85: f32, %86: f32, %87: f32):
      %88 = arith.constant 0xff800000 : f32
      %89 = arith.cmpf oeq, %86, %88 : f32
      %90 = arith.constant 0.000000e+00 : f32
      %91 = arith.select %89, %90, %86 : f32
      %92 = arith.subf %85, %91 : f32
      %93 = func.call @kina.exp.f32(%92) : (f32) -> f32
      linalg.yield %93 : f32
    } -> tensor<1x2x3x3xf32>
    %94 = tensor.empty() : tensor<1x2x3xf32>
    %95 = linalg.fill ins(%1 : f32) outs(%94 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %96 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%84 : tensor<1x2x3x3xf32>) outs(%95 : tensor<1x2x3xf32>) {
    ^bb0(%97: f32, %98: f32):
      %99 = arith.addf %98, %97 fastmath<reassoc> : f32
      linalg.yield %99 : f32
    } -> tensor<1x2x3xf32>
    %100 = tensor.empty() : tensor<1x2x3x3xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %96 : tensor<1x2x3x3xf32>, tensor<1x2x3xf32>) outs(%100 : tensor<1x2x3x3xf32>) {
    ^bb0(%101: f32, %102: f32, %103: f32):
      %104 = arith.constant 0.000000e+00 : f32
      %105 = arith.cmpf oeq, %102, %104 : f32
      %106 = arith.constant 1.000000e+00 : f32
      %107 = arith.select %105, %106, %102 : f32
      %108 = arith.divf %101, %107 : f32
      linalg.yield %108 : f32
    } -> tensor<1x2x3x3xf32>
    %109 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x3x3xf32> into tensor<2x3x3xf32>
    %110 = tensor.expand_shape %34 [[0 : i64], [1 : i64, 2 : i64]] output_shape [3, 2, 2] : tensor<3x4xf32> into tensor<3x2x2xf32>
    %111 = tensor.empty() : tensor<2x3x2xf32>
    %112 = linalg.transpose ins(%110:tensor<3x2x2xf32>) outs(%111:tensor<2x3x2xf32>) permutation = [1, 0, 2]
    %113 = tensor.empty() : tensor<2x3x2xf32>
    %114 = linalg.fill ins(%1 : f32) outs(%113 : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%109, %112 : tensor<2x3x3xf32>, tensor<2x3x2xf32>) outs(%114 : tensor<2x3x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x3x2x3_f32"} {
    ^bb0(%116: f32, %117: f32, %118: f32):
      %119 = arith.mulf %116, %117 fastmath<reassoc,contract> : f32
      %120 = arith.addf %118, %119 fastmath<reassoc,contract> : f32
      linalg.yield %120 : f32
    } -> tensor<2x3x2xf32>
    %121 = tensor.expand_shape %115 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 3, 2] : tensor<2x3x2xf32> into tensor<1x2x3x2xf32>
    %122 = tensor.empty() : tensor<1x3x2x2xf32>
    %123 = linalg.transpose ins(%121:tensor<1x2x3x2xf32>) outs(%122:tensor<1x3x2x2xf32>) permutation = [0, 2, 1, 3]
    %124 = tensor.collapse_shape %123 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x3x2x2xf32> into tensor<3x4xf32>
    %125 = tensor.empty() : tensor<3x4xf32>
    %126 = linalg.fill ins(%1 : f32) outs(%125 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%124, %w_wo : tensor<3x4xf32>, tensor<4x4xf32>) outs(%126 : tensor<3x4xf32>) attrs =  {kina.op = "matmul_nn_3x4x4_f32"} {
    ^bb0(%128: f32, %129: f32, %130: f32):
      %131 = arith.mulf %128, %129 fastmath<reassoc,contract> : f32
      %132 = arith.addf %130, %131 fastmath<reassoc,contract> : f32
      linalg.yield %132 : f32
    } -> tensor<3x4xf32>
    %133 = tensor.expand_shape %127 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 3, 4] : tensor<3x4xf32> into tensor<1x3x4xf32>
    %134 = tensor.empty() : tensor<1x3x4xf32>
    %135 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %133 : tensor<1x3x4xf32>, tensor<1x3x4xf32>) outs(%134 : tensor<1x3x4xf32>) {
    ^bb0(%136: f32, %137: f32, %138: f32):
      %139 = arith.addf %136, %137 : f32
      linalg.yield %139 : f32
    } -> tensor<1x3x4xf32>
    %140 = tensor.collapse_shape %135 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x3x4xf32> into tensor<3x4xf32>
    %141 = tensor.empty() : tensor<3x8xf32>
    %142 = linalg.fill ins(%1 : f32) outs(%141 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%140, %w_lm_head : tensor<3x4xf32>, tensor<4x8xf32>) outs(%142 : tensor<3x8xf32>) attrs =  {kina.op = "matmul_nn_3x8x4_f32"} {
    ^bb0(%144: f32, %145: f32, %146: f32):
      %147 = arith.mulf %144, %145 fastmath<reassoc,contract> : f32
      %148 = arith.addf %146, %147 fastmath<reassoc,contract> : f32
      linalg.yield %148 : f32
    } -> tensor<3x8xf32>
    %149 = tensor.expand_shape %143 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 3, 8] : tensor<3x8xf32> into tensor<1x3x8xf32>
    %150 = bufferization.materialize_in_destination %149 in %0 : (tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
    func.return %150 : tensor<1x3x8xf32>
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
