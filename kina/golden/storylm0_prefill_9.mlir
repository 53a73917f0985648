builtin.module {
  func.func @prefill_9(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x9xi64> {bufferization.writable = false}, %0: tensor<1x2x2x9xf32> {bufferization.writable = true}, %1: tensor<1x2x9x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x9xf32>, tensor<1x2x9x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %3 = arith.constant 0.000000e+00 : f32
    %4 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %5 = tensor.empty() : tensor<1x9x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x9xi64>) outs(%5 : tensor<1x9x4xf32>) {
    ^bb0(%6: i64, %7: f32):
      %8 = arith.index_cast %6 : i64 to index
      %9 = arith.constant 7 : index
      %10 = arith.minsi %8, %9 : index
      %11 = arith.constant 0 : index
      %12 = arith.maxsi %10, %11 : index
      %13 = linalg.index 2 : index
      %14 = tensor.extract %w_embed[%12, %13] : tensor<8x4xf32>
      linalg.yield %14 : f32
    } -> tensor<1x9x4xf32>
    %15 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x9x4xf32> into tensor<9x4xf32>
    %16 = tensor.empty() : tensor<9x4xf32>
    %17 = linalg.fill ins(%3 : f32) outs(%16 : tensor<9x4xf32>) -> tensor<9x4xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15, %w_wq : tensor<9x4xf32>, tensor<4x4xf32>) outs(%17 : tensor<9x4xf32>) attrs =  {kina.op = "matmul_nn_9x4x4_f32"} {
    ^bb0(%19: f32, %20: f32, %21: f32):
      %22 = arith.mulf %19, %20 fastmath<reassoc,contract> : f32
      %23 = arith.addf %21, %22 fastmath<reassoc,contract> : f32
      linalg.yield %23 : f32
    } -> tensor<9x4xf32>
    %24 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x9x4xf32> into tensor<9x4xf32>
    %25 = tensor.empty() : tensor<9x4xf32>
    %26 = linalg.fill ins(%3 : f32) outs(%25 : tensor<9x4xf32>) -> tensor<9x4xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%24, %w_wk : tensor<9x4xf32>, tensor<4x4xf32>) outs(%26 : tensor<9x4xf32>) attrs =  {kina.op = "matmul_nn_9x4x4_f32"} {
    ^bb0(%28: f32, %29: f32, %30: f32):
      %31 = arith.mulf %28, %29 fastmath<reassoc,contract> : f32
      %32 = arith.addf %30, %31 fastmath<reassoc,contract> : f32
      linalg.yield %32 : f32
    } -> tensor<9x4xf32>
    %33 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x9x4xf32> into tensor<9x4xf32>
    %34 = tensor.empty() : tensor<9x4xf32>
    %35 = linalg.fill ins(%3 : f32) outs(%34 : tensor<9x4xf32>) -> tensor<9x4xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%33, %w_wv : tensor<9x4xf32>, tensor<4x4xf32>) outs(%35 : tensor<9x4xf32>) attrs =  {kina.op = "matmul_nn_9x4x4_f32"} {
    ^bb0(%37: f32, %38: f32, %39: f32):
      %40 = arith.mulf %37, %38 fastmath<reassoc,contract> : f32
      %41 = arith.addf %39, %40 fastmath<reassoc,contract> : f32
      linalg.yield %41 : f32
    } -> tensor<9x4xf32>
    %42 = tensor.expand_shape %18 [[0 : i64], [1 : i64, 2 : i64]] output_shape [9, 2, 2] : tensor<9x4xf32> into tensor<9x2x2xf32>
    %43 = tensor.empty() : tensor<2x9x2xf32>
    %44 = linalg.transpose ins(%42:tensor<9x2x2xf32>) outs(%43:tensor<2x9x2xf32>) permutation = [1, 0, 2]
    %45 = tensor.expand_shape %27 [[0 : i64], [1 : i64, 2 : i64]] output_shape [9, 2, 2] : tensor<9x4xf32> into tensor<9x2x2xf32>
    %46 = tensor.empty() : tensor<2x2x9xf32>
    %47 = linalg.transpose ins(%45:tensor<9x2x2xf32>) outs(%46:tensor<2x2x9xf32>) permutation = [1, 2, 0]
    %48 = tensor.empty() : tensor<2x9x9xf32>
    %49 = linalg.fill ins(%3 : f32) outs(%48 : tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44, %47 : tensor<2x9x2xf32>, tensor<2x2x9xf32>) outs(%49 : tensor<2x9x9xf32>) attrs =  {kina.op = "batch_matmul_nn_2x9x9x2_f32"} {
    ^bb0(%51: f32, %52: f32, %53: f32):
      %54 = arith.mulf %51, %52 fastmath<reassoc,contract> : f32
      %55 = arith.addf %53, %54 fastmath<reassoc,contract> : f32
      linalg.yield %55 : f32
    } -> tensor<2x9x9xf32>
    %56 = tensor.expand_shape %50 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 9, 9] : tensor<2x9x9xf32> into tensor<1x2x9x9xf32>
    %57 = tensor.empty() : tensor<1x2x9x9xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x2x9x9xf32>) outs(%57 : tensor<1x2x9x9xf32>) {
    ^bb0(%58: f32, %59: f32):
      %60 = arith.mulf %58, %w_scale_1 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x9x9xf32>
    %61 = tensor.empty() : tensor<9x9xi8>
    %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%61 : tensor<9x9xi8>) {
    ^bb0(%63: i8):
      %64 = linalg.index 1 : index
      %65 = arith.index_cast %64 : index to i64
      %66 = linalg.index 0 : index
      %67 = arith.index_cast %66 : index to i64
      %68 = arith.cmpi sle, %65, %67 : i64
      %69 = arith.extui %68 : i1 to i8
      linalg.yield %69 : i8
    } -> tensor<9x9xi8>
    %70 = tensor.empty() : tensor<1x2x9x9xf32>
    %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %scores : tensor<9x9xi8>, tensor<1x2x9x9xf32>) outs(%70 : tensor<1x2x9x9xf32>) {
    ^bb0(%72: i8, %73: f32, %74: f32):
      %75 = arith.constant 0 : i8
      %76 = arith.cmpi ne, %72, %75 : i8
      %77 = arith.constant 0xff800000 : f32
      %78 = arith.select %76, %73, %77 : f32
      linalg.yield %78 : f32
    } -> tensor<1x2x9x9xf32>
    %79 = tensor.empty() : tensor<1x2x9xf32>
    %80 = linalg.fill ins(%4 : f32) outs(%79 : tensor<1x2x9xf32>) -> tensor<1x2x9xf32>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x2x9x9xf32>) outs(%80 : tensor<1x2x9xf32>) {
    ^bb0(%82: f32, %83: f32):
      %84 = arith.maximumf %83, %82 : f32
      linalg.yield %84 : f32
    } -> tensor<1x2x9xf32>
    %85 = tensor.empty() : tensor<1x2x9x9xf32>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %81 : tensor<1x2x9x9xf32>, tensor<1x2x9xf32>) outs(%85 : tensor<1x2x9x9xf32>) {
    ^bb0(%87: f32, %88: f32, %89: f32):
      %90 = arith.constant 0xff800000 : f32
      %91 = arith.cmpf oeq, %88, %90 : f32
      %92 = arith.constant 0.000000e+00 : f32
      %93 = arith.select %91, %92, %88 : f32
      %94 = arith.subf %87, %93 : f32
      %95 = func.call @kina.exp.f32(%94) : (f32) -> f32
      linalg.yield %95 : f32
    } -> tensor<1x2x9x9xf32>
    %96 = tensor.empty() : tensor<1x2x9xf32>
    %97 = linalg.fill ins(%3 : f32) outs(%96 : tensor<1x2x9xf32>) -> tensor<1x2x9xf32>
    %98 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%86 : tensor<1x2x9x9xf32>) outs(%97 : tensor<1x2x9xf32>) {
    ^bb0(%99: f32, %100: f32):
      %101 = arith.addf %100, %99 fastmath<reassoc> : f32
      linalg.yield %101 : f32
    } -> tensor<1x2x9xf32>
    %102 = tensor.empty() : tensor<1x2x9x9xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %98 : tensor<1x2x9x9xf32>, tensor<1x2x9xf32>) outs(%102 : tensor<1x2x9x9xf32>) {
    ^bb0(%103: f32, %104: f32, %105: f32):
      %106 = arith.constant 0.000000e+00 : f32
      %107 = arith.cmpf oeq, %104, %106 : f32
      %108 = arith.constant 1.000000e+00 : f32
      %109 = arith.select %107, %108, %104 : f32
      %110 = arith.divf %103, %109 : f32
      linalg.yield %110 : f32
    } -> tensor<1x2x9x9xf32>
    %111 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x9x9xf32> into tensor<2x9x9xf32>
    %112 = tensor.expand_shape %36 [[0 : i64], [1 : i64, 2 : i64]] output_shape [9, 2, 2] : tensor<9x4xf32> into tensor<9x2x2xf32>
    %113 = tensor.empty() : tensor<2x9x2xf32>
    %114 = linalg.transpose ins(%112:tensor<9x2x2xf32>) outs(%113:tensor<2x9x2xf32>) permutation = [1, 0, 2]
    %115 = tensor.empty() : tensor<2x9x2xf32>
    %116 = linalg.fill ins(%3 : f32) outs(%115 : tensor<2x9x2xf32>) -> tensor<2x9x2xf32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%111, %114 : tensor<2x9x9xf32>, tensor<2x9x2xf32>) outs(%116 : tensor<2x9x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x9x2x9_f32"} {
    ^bb0(%118: f32, %119: f32, %120: f32):
      %121 = arith.mulf %118, %119 fastmath<reassoc,contract> : f32
      %122 = arith.addf %120, %121 fastmath<reassoc,contract> : f32
      linalg.yield %122 : f32
    } -> tensor<2x9x2xf32>
    %123 = tensor.expand_shape %117 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 9, 2] : tensor<2x9x2xf32> into tensor<1x2x9x2xf32>
    %124 = tensor.empty() : tensor<1x9x2x2xf32>
    %125 = linalg.transpose ins(%123:tensor<1x2x9x2xf32>) outs(%124:tensor<1x9x2x2xf32>) permutation = [0, 2, 1, 3]
    %126 = tensor.collapse_shape %125 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x9x2x2xf32> into tensor<9x4xf32>
    %127 = tensor.empty() : tensor<9x4xf32>
    %128 = linalg.fill ins(%3 : f32) outs(%127 : tensor<9x4xf32>) -> tensor<9x4xf32>
    %129 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126, %w_wo : tensor<9x4xf32>, tensor<4x4xf32>) outs(%128 : tensor<9x4xf32>) attrs =  {kina.op = "matmul_nn_9x4x4_f32"} {
    ^bb0(%130: f32, %131: f32, %132: f32):
      %133 = arith.mulf %130, %131 fastmath<reassoc,contract> : f32
      %134 = arith.addf %132, %133 fastmath<reassoc,contract> : f32
      linalg.yield %134 : f32
    } -> tensor<9x4xf32>
    %135 = tensor.expand_shape %129 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 9, 4] : tensor<9x4xf32> into tensor<1x9x4xf32>
    %136 = tensor.empty() : tensor<1x9x4xf32>
    %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %135 : tensor<1x9x4xf32>, tensor<1x9x4xf32>) outs(%136 : tensor<1x9x4xf32>) {
    ^bb0(%138: f32, %139: f32, %140: f32):
      %141 = arith.addf %138, %139 : f32
      linalg.yield %141 : f32
    } -> tensor<1x9x4xf32>
    %142 = tensor.collapse_shape %137 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x9x4xf32> into tensor<9x4xf32>
    %143 = tensor.empty() : tensor<9x8xf32>
    %144 = linalg.fill ins(%3 : f32) outs(%143 : tensor<9x8xf32>) -> tensor<9x8xf32>
    %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%142, %w_lm_head : tensor<9x4xf32>, tensor<4x8xf32>) outs(%144 : tensor<9x8xf32>) attrs =  {kina.op = "matmul_nn_9x8x4_f32"} {
    ^bb0(%146: f32, %147: f32, %148: f32):
      %149 = arith.mulf %146, %147 fastmath<reassoc,contract> : f32
      %150 = arith.addf %148, %149 fastmath<reassoc,contract> : f32
      linalg.yield %150 : f32
    } -> tensor<9x8xf32>
    %all = tensor.expand_shape %145 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 9, 8] : tensor<9x8xf32> into tensor<1x9x8xf32>
    %151 = tensor.extract_slice %all[0, 8, 0] [1, 1, 8] [1, 1, 1] : tensor<1x9x8xf32> to tensor<1x1x8xf32>
    %152 = tensor.expand_shape %27 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [1, 9, 2, 2] : tensor<9x4xf32> into tensor<1x9x2x2xf32>
    %153 = tensor.empty() : tensor<1x2x2x9xf32>
    %154 = linalg.transpose ins(%152:tensor<1x9x2x2xf32>) outs(%153:tensor<1x2x2x9xf32>) permutation = [0, 2, 3, 1]
    %155 = tensor.expand_shape %36 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [1, 9, 2, 2] : tensor<9x4xf32> into tensor<1x9x2x2xf32>
    %156 = tensor.empty() : tensor<1x2x9x2xf32>
    %157 = linalg.transpose ins(%155:tensor<1x9x2x2xf32>) outs(%156:tensor<1x2x9x2xf32>) permutation = [0, 2, 1, 3]
    %158 = bufferization.materialize_in_destination %154 in %0 : (tensor<1x2x2x9xf32>, tensor<1x2x2x9xf32>) -> tensor<1x2x2x9xf32>
    %159 = bufferization.materialize_in_destination %157 in %1 : (tensor<1x2x9x2xf32>, tensor<1x2x9x2xf32>) -> tensor<1x2x9x2xf32>
    %160 = bufferization.materialize_in_destination %151 in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %158, %159, %160 : tensor<1x2x2x9xf32>, tensor<1x2x9x2xf32>, tensor<1x1x8xf32>
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
