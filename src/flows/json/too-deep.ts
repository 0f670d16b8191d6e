export function tooDeep(maxDepth: number): string {
  return `JSON is nested deeper than ${maxDepth} levels`
}
