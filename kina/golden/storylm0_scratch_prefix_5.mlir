builtin.module {
  func.func @prefix_5(%k_scratch: tensor<1x2x2x32xf32> {bufferization.writable = false}, %v_scratch: tensor<1x2x32x2xf32> {bufferization.writable = false}, %0: tensor<1x2x2x5xf32> {bufferization.writable = true}, %1: tensor<1x2x5x2xf32> {bufferization.writable = true}) -> (tensor<1x2x2x5xf32>, tensor<1x2x5x2xf32>) attributes {llvm.emit_c_interface} {
    %2 = tensor.extract_slice %k_scratch[0, 0, 0, 0] [1, 2, 2, 5] [1, 1, 1, 1] : tensor<1x2x2x32xf32> to tensor<1x2x2x5xf32>
    %3 = tensor.extract_slice %v_scratch[0, 0, 0, 0] [1, 2, 5, 2] [1, 1, 1, 1] : tensor<1x2x32x2xf32> to tensor<1x2x5x2xf32>
    %4 = bufferization.materialize_in_destination %2 in %0 : (tensor<1x2x2x5xf32>, tensor<1x2x2x5xf32>) -> tensor<1x2x2x5xf32>
    %5 = bufferization.materialize_in_destination %3 in %1 : (tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>) -> tensor<1x2x5x2xf32>
    func.return %4, %5 : tensor<1x2x2x5xf32>, tensor<1x2x5x2xf32>
  }
}
