; Conversions between F16 and F32 for x86-64 processors without F16C, under the names that LLVM calls.
; They follow IEEE 754: exact one way, to nearest even the other way, denormals kept.

; F16 is 1 bit of sign, 5 of exponent (bias 15), 10 of fraction; F32 is 1, 8 (bias 127), 23.
define float @__extendhfsf2(half %h) {
  %bits16 = bitcast half %h to i16
  %bits = zext i16 %bits16 to i32
  %magnitude = and i32 %bits, 32767
  %shifted = shl i32 %magnitude, 13
  %normal = add i32 %shifted, 939524096                ; (127 - 15) << 23
  %infinite = add i32 %shifted, 1879048192             ; (255 - 31) << 23: the largest exponent stays it
  %is_infinite = icmp uge i32 %magnitude, 31744        ; 31 << 10: an infinity or a NaN
  %large = select i1 %is_infinite, i32 %infinite, i32 %normal
  ; A denormal is its fraction times 2^-24: 1.fraction times 2^-14, less 2^-14.
  %raised_bits = or i32 %shifted, 947912704            ; (127 - 14) << 23
  %raised = bitcast i32 %raised_bits to float
  %small = fsub float %raised, 0x3F10000000000000      ; 2^-14
  %small_bits = bitcast float %small to i32
  %is_small = icmp ult i32 %magnitude, 1024            ; 1 << 10: no exponent
  %value = select i1 %is_small, i32 %small_bits, i32 %large
  %sign = and i32 %bits, 32768
  %sign_bit = shl i32 %sign, 16
  %result = or i32 %value, %sign_bit
  %float = bitcast i32 %result to float
  ret float %float
}

define half @__truncsfhf2(float %f) {
  %bits = bitcast float %f to i32
  %magnitude = and i32 %bits, 2147483647
  ; To nearest even: half a unit in the last place, less 1, and the last bit that stays.
  %kept = lshr i32 %magnitude, 13
  %odd = and i32 %kept, 1
  %rebased = sub i32 %magnitude, 939524096             ; (127 - 15) << 23
  %up = add i32 %rebased, 4095
  %rounded = add i32 %up, %odd
  %normal = lshr i32 %rounded, 13
  ; Below 2^-14 an addition rounds: the last place of 0.5 in F32 is 2^-24, that of a denormal.
  %absolute = bitcast i32 %magnitude to float
  %sum = fadd float %absolute, 0.5
  %sum_bits = bitcast float %sum to i32
  %denormal = sub i32 %sum_bits, 1056964608            ; the bits of 0.5
  %is_small = icmp ult i32 %magnitude, 947912704       ; (127 - 14) << 23
  %finite = select i1 %is_small, i32 %denormal, i32 %normal
  %is_nan = icmp ugt i32 %magnitude, 2139095040        ; 255 << 23
  %special = select i1 %is_nan, i32 32256, i32 31744   ; a quiet NaN, infinity
  %is_special = icmp uge i32 %magnitude, 1199570944    ; (127 + 16) << 23: 65536
  %value = select i1 %is_special, i32 %special, i32 %finite
  %sign = lshr i32 %bits, 16
  %sign_bit = and i32 %sign, 32768
  %result = or i32 %value, %sign_bit
  %result16 = trunc i32 %result to i16
  %half = bitcast i16 %result16 to half
  ret half %half
}
