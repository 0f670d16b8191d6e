import { counted } from './counted.ts'

/** `18 bytes`, `4.2 kB`, `48 kB`, `20 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  const [unit, name] = bytes < 999_500 ? [1000, 'kB'] : [1_000_000, 'MB']
  const count = bytes / unit
  return `${count.toFixed(count < 10 ? 1 : 0)} ${name}`
}
