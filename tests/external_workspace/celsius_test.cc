// The library of this workspace, called from C++: water boils at 212 degrees.

#include <cmath>
#include <cstdint>
#include <cstdio>

#include "celsius.h"

int main() {
  float celsius[5] = {0, 100, -40, -273.15f, 37}, fahrenheit[5] = {};
  const kina_tensor_1 in{celsius, celsius, 0, {5}, {1}};
  const kina_tensor_1 out{fahrenheit, fahrenheit, 0, {5}, {1}};
  _mlir_ciface_fahrenheit(&in, &out);
  std::printf("%g degrees\n", fahrenheit[1]);
  return std::fabs(fahrenheit[1] - 212) < 1e-4f ? 0 : 1;
}
