/**
 * A vector as it is kept: its direction is all that counts, so its largest number becomes 127 and each takes a byte, which is a
 * quarter. Nearness differs by a thousandth from then on.
 */
export function packVector(numbers: readonly number[]): string {
  let largest = 0
  for (const number of numbers) largest = Math.max(largest, Math.abs(number))
  const scale = largest === 0 ? 0 : 127 / largest
  const bytes = Int8Array.from(numbers, (number) => Math.round(number * scale))
  return Buffer.from(bytes.buffer).toString('base64')
}
