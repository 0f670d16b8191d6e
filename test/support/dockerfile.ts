/** One line of a Dockerfile, continued lines joined. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

export function readDockerfile(text: string): Instruction[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`not an instruction: ${line}`)
      return { name, text: rest! }
    })
}

export function textsOf(instructions: readonly Instruction[], name: string): string[] {
  return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text)
}

/** What the build takes out of the repository; parts of an earlier stage are none of it. */
export function copiedPaths(instructions: readonly Instruction[]): string[] {
  return textsOf(instructions, 'COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(/\s+/).slice(0, -1))
}

/** The words of `NAME ["a", "b"]`, options before it left out. */
export function execForm(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}
