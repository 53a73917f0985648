builtin.module {
  func.func @forward_2(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x2xi64> {bufferization.writable = false}) -> tensor<1x2x8xf32> attributes {llvm.emit_c_interface} {
    %0 = arith.constant 0.000000e+00 : f32
    %1 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %2 = tensor.empty() : tensor<1x2x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x2xi64>) outs(%2 : tensor<1x2x4xf32>) {
    ^bb0(%3: i64, %4: f32):
      %5 = arith.index_cast %3 : i64 to index
      %6 = arith.constant 7 : index
      %7 = arith.minsi %5, %6 : index
      %8 = arith.constant 0 : index
      %9 = arith.maxsi %7, %8 : index
      %10 = linalg.index 2 : index
      %11 = tensor.extract %w_embed[%9, %10] : tensor<8x4xf32>
      linalg.yield %11 : f32
    } -> tensor<1x2x4xf32>
    %12 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %13 = tensor.empty() : tensor<2x4xf32>
    %14 = linalg.fill ins(%0 : f32) outs(%13 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12, %w_wq : tensor<2x4xf32>, tensor<4x4xf32>) outs(%14 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%16: f32, %17: f32, %18: f32):
      %19 = arith.mulf %16, %17 fastmath<reassoc,contract> : f32
      %20 = arith.addf %18, %19 fastmath<reassoc,contract> : f32
      linalg.yield %20 : f32
    } -> tensor<2x4xf32>
    %21 = tensor.expand_shape %15 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %22 = tensor.expand_shape %21 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 2] : tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
    %23 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %24 = tensor.empty() : tensor<2x4xf32>
    %25 = linalg.fill ins(%0 : f32) outs(%24 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23, %w_wk : tensor<2x4xf32>, tensor<4x4xf32>) outs(%25 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%27: f32, %28: f32, %29: f32):
      %30 = arith.mulf %27, %28 fastmath<reassoc,contract> : f32
      %31 = arith.addf %29, %30 fastmath<reassoc,contract> : f32
      linalg.yield %31 : f32
    } -> tensor<2x4xf32>
    %32 = tensor.expand_shape %26 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %33 = tensor.expand_shape %32 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 2] : tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
    %34 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %35 = tensor.empty() : tensor<2x4xf32>
    %36 = linalg.fill ins(%0 : f32) outs(%35 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34, %w_wv : tensor<2x4xf32>, tensor<4x4xf32>) outs(%36 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%38: f32, %39: f32, %40: f32):
      %41 = arith.mulf %38, %39 fastmath<reassoc,contract> : f32
      %42 = arith.addf %40, %41 fastmath<reassoc,contract> : f32
      linalg.yield %42 : f32
    } -> tensor<2x4xf32>
    %43 = tensor.expand_shape %37 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %44 = tensor.expand_shape %43 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [1, 2, 2, 2] : tensor<1x2x4xf32> into tensor<1x2x2x2xf32>
    %45 = tensor.collapse_shape %22 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %46 = tensor.empty() : tensor<2x2x2xf32>
    %47 = linalg.transpose ins(%45:tensor<2x2x2xf32>) outs(%46:tensor<2x2x2xf32>) permutation = [1, 0, 2]
    %48 = tensor.collapse_shape %33 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %49 = tensor.empty() : tensor<2x2x2xf32>
    %50 = linalg.transpose ins(%48:tensor<2x2x2xf32>) outs(%49:tensor<2x2x2xf32>) permutation = [1, 2, 0]
    %51 = tensor.empty() : tensor<2x2x2xf32>
    %52 = linalg.fill ins(%0 : f32) outs(%51 : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47, %50 : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%52 : tensor<2x2x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x2x2x2_f32"} {
    ^bb0(%54: f32, %55: f32, %56: f32):
      %57 = arith.mulf %54, %55 fastmath<reassoc,contract> : f32
      %58 = arith.addf %56, %57 fastmath<reassoc,contract> : f32
      linalg.yield %58 : f32
    } -> tensor<2x2x2xf32>
    %59 = tensor.expand_shape %53 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 2, 2] : tensor<2x2x2xf32> into tensor<1x2x2x2xf32>
    %60 = tensor.empty() : tensor<1x2x2x2xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x2x2x2xf32>) outs(%60 : tensor<1x2x2x2xf32>) {
    ^bb0(%61: f32, %62: f32):
      %63 = arith.mulf %61, %w_scale_1 : f32
      linalg.yield %63 : f32
    } -> tensor<1x2x2x2xf32>
    %64 = tensor.empty() : tensor<2x2xi8>
    %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%64 : tensor<2x2xi8>) {
    ^bb0(%66: i8):
      %67 = linalg.index 1 : index
      %68 = arith.index_cast %67 : index to i64
      %69 = linalg.index 0 : index
      %70 = arith.index_cast %69 : index to i64
      %71 = arith.cmpi sle, %68, %70 : i64
      %72 = arith.extui %71 : i1 to i8
      linalg.yield %72 : i8
    } -> tensor<2x2xi8>
    %73 = tensor.empty() : tensor<1x2x2x2xf32>
    %74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %scores : tensor<2x2xi8>, tensor<1x2x2x2xf32>) outs(%73 : tensor<1x2x2x2xf32>) {
    ^bb0(%75: i8, %76: f32, %77: f32):
      %78 = arith.constant 0 : i8
      %79 = arith.cmpi ne, %75, %78 : i8
      %80 = arith.constant 0xff800000 : f32
      %81 = arith.select %79, %76, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x2x2xf32>
    %82 = tensor.empty() : tensor<1x2x2xf32>
    %83 = linalg.fill ins(%1 : f32) outs(%82 : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %84 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%74 : tensor<1x2x2x2xf32>) outs(%83 : tensor<1x2x2xf32>) {
    ^bb0(%85: f32, %86: f32):
      %87 = arith.maximumf %86, %85 : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x2xf32>
    %88 = tensor.empty() : tensor<1x2x2x2xf32>
    %89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %84 : tensor<1x2x2x2xf32>, tensor<1x2x2xf32>) outs(%88 : tensor<1x2x2x2xf32>) {
    ^bb0(%90: f32, %91: f32, %92: f32):
      %93 = arith.constant 0xff800000 : f32
      %94 = arith.cmpf oeq, %91, %93 : f32
      %95 = arith.constant 0.000000e+00 : f32
      %96 = arith.select %94, %95, %91 : f32
      %97 = arith.subf %90, %96 : f32
      %98 = func.call @kina.exp.f32(%97) : (f32) -> f32
      linalg.yield %98 : f32
    } -> tensor<1x2x2x2xf32>
    %99 = tensor.empty() : tensor<1x2x2xf32>
    %100 = linalg.fill ins(%0 : f32) outs(%99 : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%89 : tensor<1x2x2x2xf32>) outs(%100 : tensor<1x2x2xf32>) {
    ^bb0(%102: f32, %103: f32):
      %104 = arith.addf %103, %102 fastmath<reassoc> : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x2xf32>
    %105 = tensor.empty() : tensor<1x2x2x2xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %101 : tensor<1x2x2x2xf32>, tensor<1x2x2xf32>) outs(%105 : tensor<1x2x2x2xf32>) {
    ^bb0(%106: f32, %107: f32, %108: f32):
      %109 = arith.constant 0.000000e+00 : f32
      %110 = arith.cmpf oeq, %107, %109 : f32
      %111 = arith.constant 1.000000e+00 : f32
      %112 = arith.select %110, %111, %107 : f32
      %113 = arith.divf %106, %112 : f32
      linalg.yield %113 : f32
    } -> tensor<1x2x2x2xf32>
    %114 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %115 = tensor.collapse_shape %44 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x2xf32> into tensor<2x2x2xf32>
    %116 = tensor.empty() : tensor<2x2x2xf32>
    %117 = linalg.transpose ins(%115:tensor<2x2x2xf32>) outs(%116:tensor<2x2x2xf32>) permutation = [1, 0, 2]
    %118 = tensor.empty() : tensor<2x2x2xf32>
    %119 = linalg.fill ins(%0 : f32) outs(%118 : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %120 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%114, %117 : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%119 : tensor<2x2x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x2x2x2_f32"} {
    ^bb0(%121: f32, %122: f32, %123: f32):
      %124 = arith.mulf %121, %122 fastmath<reassoc,contract> : f32
      %125 = arith.addf %123, %124 fastmath<reassoc,contract> : f32
      linalg.yield %125 : f32
    } -> tensor<2x2x2xf32>
    %context = tensor.expand_shape %120 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 2, 2] : tensor<2x2x2xf32> into tensor<1x2x2x2xf32>
    %126 = tensor.empty() : tensor<1x2x2x2xf32>
    %127 = linalg.transpose ins(%context:tensor<1x2x2x2xf32>) outs(%126:tensor<1x2x2x2xf32>) permutation = [0, 2, 1, 3]
    %128 = tensor.collapse_shape %127 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<1x2x2x2xf32> into tensor<1x2x4xf32>
    %129 = tensor.collapse_shape %128 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %130 = tensor.empty() : tensor<2x4xf32>
    %131 = linalg.fill ins(%0 : f32) outs(%130 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%129, %w_wo : tensor<2x4xf32>, tensor<4x4xf32>) outs(%131 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%133: f32, %134: f32, %135: f32):
      %136 = arith.mulf %133, %134 fastmath<reassoc,contract> : f32
      %137 = arith.addf %135, %136 fastmath<reassoc,contract> : f32
      linalg.yield %137 : f32
    } -> tensor<2x4xf32>
    %138 = tensor.expand_shape %132 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %139 = tensor.empty() : tensor<1x2x4xf32>
    %140 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %138 : tensor<1x2x4xf32>, tensor<1x2x4xf32>) outs(%139 : tensor<1x2x4xf32>) {
    ^bb0(%141: f32, %142: f32, %143: f32):
      %144 = arith.addf %141, %142 : f32
      linalg.yield %144 : f32
    } -> tensor<1x2x4xf32>
    %145 = tensor.collapse_shape %140 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %146 = tensor.empty() : tensor<2x8xf32>
    %147 = linalg.fill ins(%0 : f32) outs(%146 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %148 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145, %w_lm_head : tensor<2x4xf32>, tensor<4x8xf32>) outs(%147 : tensor<2x8xf32>) attrs =  {kina.op = "matmul_nn_2x8x4_f32"} {
    ^bb0(%149: f32, %150: f32, %151: f32):
      %152 = arith.mulf %149, %150 fastmath<reassoc,contract> : f32
      %153 = arith.addf %151, %152 fastmath<reassoc,contract> : f32
      linalg.yield %153 : f32
    } -> tensor<2x8xf32>
    %154 = tensor.expand_shape %148 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 2, 8] : tensor<2x8xf32> into tensor<1x2x8xf32>
    func.return %154 : tensor<1x2x8xf32>
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
