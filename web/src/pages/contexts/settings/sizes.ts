const UNITS: readonly [name: string, bytes: number][] = [
  ['MB', 1024 ** 2],
  ['kB', 1024]
]

/** What the service takes at the most. */
const MOST = 256 * 1024 ** 2

/** A size as somebody would type it, to the byte. */
export function sizeText(bytes: number | undefined): string {
  if (bytes === undefined) return ''
  const unit = UNITS.find(([, size]) => bytes % size === 0)
  return unit === undefined ? String(bytes) : `${bytes / unit[1]} ${unit[0]}`
}

/** The bytes of "16 MB", "512kb" or "1000"; undefined for what is no size. */
export function sizeOf(text: string): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,6})?)\s*(mb|kb|)$/i.exec(text.trim())
  if (match === null) return undefined
  const unit = UNITS.find(([name]) => name.toLowerCase() === match[2]!.toLowerCase())
  const bytes = Math.floor(Number(match[1]) * (unit?.[1] ?? 1))
  return bytes >= 1 && bytes <= MOST ? bytes : undefined
}

export function sizeFault(text: string): string | undefined {
  if (text.trim() === '' || sizeOf(text) !== undefined) return undefined
  return 'Enter a size up to 256 MB, for example 16 MB or 512 kB. Leave it empty to use the value of the contexts above.'
}
