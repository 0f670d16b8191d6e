/** The instructions of a Dockerfile, continued lines joined. */
export function readDockerfile(text) {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`not an instruction: ${line}`)
      return { name, text: rest }
    })
}

/** From each FROM to the next; a stage is called by its `AS`. */
export function stagesOf(instructions) {
  const stages = []
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') {
      const [base, , name = ''] = instruction.text.split(/\s+/)
      stages.push({ base, name, instructions: [] })
    } else stages.at(-1).instructions.push(instruction)
  }
  return stages
}

export function textsOf(instructions, name) {
  return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text)
}

/** `--from=build a b to`: where it is from, if not from the repository, what is copied and where to. */
export function readCopy(text) {
  const words = text.split(/\s+/)
  const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined
  return { from, paths: words.slice(0, -1), to: words.at(-1) }
}

/** The words of `NAME ["a", "b"]`, options before it left out. */
export function execForm(text) {
  return JSON.parse(text.slice(text.indexOf('[')))
}

/** The variables of all ENV. */
export function environmentOf(instructions) {
  const pairs = textsOf(instructions, 'ENV').flatMap((text) => text.split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split('=')))
}
