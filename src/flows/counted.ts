/** "1 flow", "2 flows". `shown`: the number as it is written. */
export function counted(number: number | undefined, thing: string, shown = String(number)): string {
  return `${shown} ${thing}${number === 1 ? '' : 's'}`
}
