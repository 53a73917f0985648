builtin.module {
  func.func @prefill_5(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x5xi64> {bufferization.writable = false}, %0: tensor<1x2x2x32xf32> {bufferization.writable = true}, %1: tensor<1x2x32x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x32xf32>, tensor<1x2x32x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %3 = arith.constant 0.000000e+00 : f32
    %4 = arith.constant 0xff800000 : f32
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %5 = tensor.empty() : tensor<1x5x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x5xi64>) outs(%5 : tensor<1x5x4xf32>) {
    ^bb0(%6: i64, %7: f32):
      %8 = arith.index_cast %6 : i64 to index
      %9 = arith.constant 7 : index
      %10 = arith.minsi %8, %9 : index
      %11 = arith.constant 0 : index
      %12 = arith.maxsi %10, %11 : index
      %13 = linalg.index 2 : index
      %14 = tensor.extract %w_embed[%12, %13] : tensor<8x4xf32>
      linalg.yield %14 : f32
    } -> tensor<1x5x4xf32>
    %15 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %16 = tensor.empty() : tensor<5x4xf32>
    %17 = linalg.fill ins(%3 : f32) outs(%16 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15, %w_wq : tensor<5x4xf32>, tensor<4x4xf32>) outs(%17 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%19: f32, %20: f32, %21: f32):
      %22 = arith.mulf %19, %20 fastmath<reassoc,contract> : f32
      %23 = arith.addf %21, %22 fastmath<reassoc,contract> : f32
      linalg.yield %23 : f32
    } -> tensor<5x4xf32>
    %24 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %25 = tensor.empty() : tensor<5x4xf32>
    %26 = linalg.fill ins(%3 : f32) outs(%25 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%24, %w_wk : tensor<5x4xf32>, tensor<4x4xf32>) outs(%26 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%28: f32, %29: f32, %30: f32):
      %31 = arith.mulf %28, %29 fastmath<reassoc,contract> : f32
      %32 = arith.addf %30, %31 fastmath<reassoc,contract> : f32
      linalg.yield %32 : f32
    } -> tensor<5x4xf32>
    %33 = tensor.expand_shape %27 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [1, 5, 2, 2] : tensor<5x4xf32> into tensor<1x5x2x2xf32>
    %34 = tensor.empty() : tensor<1x2x2x5xf32>
    %k = linalg.transpose ins(%33:tensor<1x5x2x2xf32>) outs(%34:tensor<1x2x2x5xf32>) permutation = [0, 2, 3, 1]
    %35 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %36 = tensor.empty() : tensor<5x4xf32>
    %37 = linalg.fill ins(%3 : f32) outs(%36 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35, %w_wv : tensor<5x4xf32>, tensor<4x4xf32>) outs(%37 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%39: f32, %40: f32, %41: f32):
      %42 = arith.mulf %39, %40 fastmath<reassoc,contract> : f32
      %43 = arith.addf %41, %42 fastmath<reassoc,contract> : f32
      linalg.yield %43 : f32
    } -> tensor<5x4xf32>
    %44 = tensor.expand_shape %38 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [1, 5, 2, 2] : tensor<5x4xf32> into tensor<1x5x2x2xf32>
    %45 = tensor.empty() : tensor<1x2x5x2xf32>
    %v = linalg.transpose ins(%44:tensor<1x5x2x2xf32>) outs(%45:tensor<1x2x5x2xf32>) permutation = [0, 2, 1, 3]
    %46 = tensor.expand_shape %18 [[0 : i64], [1 : i64, 2 : i64]] output_shape [5, 2, 2] : tensor<5x4xf32> into tensor<5x2x2xf32>
    %47 = tensor.empty() : tensor<2x5x2xf32>
    %48 = linalg.transpose ins(%46:tensor<5x2x2xf32>) outs(%47:tensor<2x5x2xf32>) permutation = [1, 0, 2]
    %49 = tensor.collapse_shape %k [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x2x5xf32> into tensor<2x2x5xf32>
    %50 = tensor.empty() : tensor<2x5x5xf32>
    %51 = linalg.fill ins(%3 : f32) outs(%50 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48, %49 : tensor<2x5x2xf32>, tensor<2x2x5xf32>) outs(%51 : tensor<2x5x5xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x5x2_f32"} {
    ^bb0(%53: f32, %54: f32, %55: f32):
      %56 = arith.mulf %53, %54 fastmath<reassoc,contract> : f32
      %57 = arith.addf %55, %56 fastmath<reassoc,contract> : f32
      linalg.yield %57 : f32
    } -> tensor<2x5x5xf32>
    %58 = tensor.expand_shape %52 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %59 = tensor.empty() : tensor<1x2x5x5xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x5x5xf32>) outs(%59 : tensor<1x2x5x5xf32>) {
    ^bb0(%60: f32, %61: f32):
      %62 = arith.mulf %60, %w_scale_1 : f32
      linalg.yield %62 : f32
    } -> tensor<1x2x5x5xf32>
    %63 = tensor.empty() : tensor<5x5xi8>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%63 : tensor<5x5xi8>) {
    ^bb0(%65: i8):
      %66 = linalg.index 1 : index
      %67 = arith.index_cast %66 : index to i64
      %68 = linalg.index 0 : index
      %69 = arith.index_cast %68 : index to i64
      %70 = arith.cmpi sle, %67, %69 : i64
      %71 = arith.extui %70 : i1 to i8
      linalg.yield %71 : i8
    } -> tensor<5x5xi8>
    %72 = tensor.empty() : tensor<1x2x5x5xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %scores : tensor<5x5xi8>, tensor<1x2x5x5xf32>) outs(%72 : tensor<1x2x5x5xf32>) {
    ^bb0(%74: i8, %75: f32, %76: f32):
      %77 = arith.constant 0 : i8
      %78 = arith.cmpi ne, %74, %77 : i8
      %79 = arith.constant 0xff800000 : f32
      %80 = arith.select %78, %75, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x5xf32>
    %81 = tensor.empty() : tensor<1x2x5xf32>
    %82 = linalg.fill ins(%4 : f32) outs(%81 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<1x2x5x5xf32>) outs(%82 : tensor<1x2x5xf32>) {
    ^bb0(%84: f32, %85: f32):
      %86 = arith.maximumf %85, %84 : f32
      linalg.yield %86 : f32
    } -> tensor<1x2x5xf32>
    %87 = tensor.empty() : tensor<1x2x5x5xf32>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %83 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%87 : tensor<1x2x5x5xf32>) {
    ^bb0(%89: f32, %90: f32, %91: f32):
      %92 = arith.constant 0xff800000 : f32
      %93 = arith.cmpf oeq, %90, %92 : f32
      %94 = arith.constant 0.000000e+00 : f32
      %95 = arith.select %93, %94, %90 : f32
      %96 = arith.subf %89, %95 : f32
      %97 = func.call @kina.exp.f32(%96) : (f32) -> f32
      linalg.yield %97 : f32
    } -> tensor<1x2x5x5xf32>
    %98 = tensor.empty() : tensor<1x2x5xf32>
    %99 = linalg.fill ins(%3 : f32) outs(%98 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<1x2x5x5xf32>) outs(%99 : tensor<1x2x5xf32>) {
    ^bb0(%101: f32, %102: f32):
      %103 = arith.addf %102, %101 fastmath<reassoc> : f32
      linalg.yield %103 : f32
    } -> tensor<1x2x5xf32>
    %104 = tensor.empty() : tensor<1x2x5x5xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %100 : tensor<1x2x5x5xf32>, tensor<1x2x5xf32>) outs(%104 : tensor<1x2x5x5xf32>) {
    ^bb0(%105: f32, %106: f32, %107: f32):
      %108 = arith.constant 0.000000e+00 : f32
      %109 = arith.cmpf oeq, %106, %108 : f32
      %110 = arith.constant 1.000000e+00 : f32
      %111 = arith.select %109, %110, %106 : f32
      %112 = arith.divf %105, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x2x5x5xf32>
    %113 = tensor.collapse_shape %probs [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %114 = tensor.collapse_shape %v [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<1x2x5x2xf32> into tensor<2x5x2xf32>
    %115 = tensor.empty() : tensor<2x5x2xf32>
    %116 = linalg.fill ins(%3 : f32) outs(%115 : tensor<2x5x2xf32>) -> tensor<2x5x2xf32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%113, %114 : tensor<2x5x5xf32>, tensor<2x5x2xf32>) outs(%116 : tensor<2x5x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2x5x2x5_f32"} {
    ^bb0(%118: f32, %119: f32, %120: f32):
      %121 = arith.mulf %118, %119 fastmath<reassoc,contract> : f32
      %122 = arith.addf %120, %121 fastmath<reassoc,contract> : f32
      linalg.yield %122 : f32
    } -> tensor<2x5x2xf32>
    %123 = tensor.expand_shape %117 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, 5, 2] : tensor<2x5x2xf32> into tensor<1x2x5x2xf32>
    %124 = tensor.empty() : tensor<1x5x2x2xf32>
    %125 = linalg.transpose ins(%123:tensor<1x2x5x2xf32>) outs(%124:tensor<1x5x2x2xf32>) permutation = [0, 2, 1, 3]
    %126 = tensor.collapse_shape %125 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x5x2x2xf32> into tensor<5x4xf32>
    %127 = tensor.empty() : tensor<5x4xf32>
    %128 = linalg.fill ins(%3 : f32) outs(%127 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %129 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126, %w_wo : tensor<5x4xf32>, tensor<4x4xf32>) outs(%128 : tensor<5x4xf32>) attrs =  {kina.op = "matmul_nn_5x4x4_f32"} {
    ^bb0(%130: f32, %131: f32, %132: f32):
      %133 = arith.mulf %130, %131 fastmath<reassoc,contract> : f32
      %134 = arith.addf %132, %133 fastmath<reassoc,contract> : f32
      linalg.yield %134 : f32
    } -> tensor<5x4xf32>
    %135 = tensor.expand_shape %129 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
    %136 = tensor.empty() : tensor<1x5x4xf32>
    %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %135 : tensor<1x5x4xf32>, tensor<1x5x4xf32>) outs(%136 : tensor<1x5x4xf32>) {
    ^bb0(%138: f32, %139: f32, %140: f32):
      %141 = arith.addf %138, %139 : f32
      linalg.yield %141 : f32
    } -> tensor<1x5x4xf32>
    %142 = tensor.collapse_shape %137 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x5x4xf32> into tensor<5x4xf32>
    %143 = tensor.empty() : tensor<5x8xf32>
    %144 = linalg.fill ins(%3 : f32) outs(%143 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%142, %w_lm_head : tensor<5x4xf32>, tensor<4x8xf32>) outs(%144 : tensor<5x8xf32>) attrs =  {kina.op = "matmul_nn_5x8x4_f32"} {
    ^bb0(%146: f32, %147: f32, %148: f32):
      %149 = arith.mulf %146, %147 fastmath<reassoc,contract> : f32
      %150 = arith.addf %148, %149 fastmath<reassoc,contract> : f32
      linalg.yield %150 : f32
    } -> tensor<5x8xf32>
    %all = tensor.expand_shape %145 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, 5, 8] : tensor<5x8xf32> into tensor<1x5x8xf32>
    %last = tensor.extract_slice %all[0, 4, 0] [1, 1, 8] [1, 1, 1] : tensor<1x5x8xf32> to tensor<1x1x8xf32>
    %151 = tensor.empty() : tensor<1x2x2x32xf32>
    %152 = linalg.fill ins(%3 : f32) outs(%151 : tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %k_scratch = tensor.insert_slice %k into %152[0, 0, 0, 0] [1, 2, 2, 5] [1, 1, 1, 1] : tensor<1x2x2x5xf32> into tensor<1x2x2x32xf32>
    %153 = tensor.empty() : tensor<1x2x32x2xf32>
    %154 = linalg.fill ins(%3 : f32) outs(%153 : tensor<1x2x32x2xf32>) -> tensor<1x2x32x2xf32>
    %v_scratch = tensor.insert_slice %v into %154[0, 0, 0, 0] [1, 2, 5, 2] [1, 1, 1, 1] : tensor<1x2x5x2xf32> into tensor<1x2x32x2xf32>
    %155 = bufferization.materialize_in_destination %k_scratch in %0 : (tensor<1x2x2x32xf32>, tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
    %156 = bufferization.materialize_in_destination %v_scratch in %1 : (tensor<1x2x32x2xf32>, tensor<1x2x32x2xf32>) -> tensor<1x2x32x2xf32>
    %157 = bufferization.materialize_in_destination %last in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %155, %156, %157 : tensor<1x2x2x32xf32>, tensor<1x2x32x2xf32>, tensor<1x1x8xf32>
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
