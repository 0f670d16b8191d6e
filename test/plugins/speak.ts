interface SpeakStep {
  readonly fields: { readonly url: string }
  readonly signal: AbortSignal
  emit(text: string, options?: { restart?: boolean }): void
}

interface Told {
  readonly text?: string
  readonly restart?: boolean
  readonly isLast?: boolean
}

/** A plugin for the stories: a component that puts out text while it works, as it gets it from an address. */
function speak(context: { component(definition: object): void }): void {
  context.component({
    type: 'speak',
    title: 'Speak',
    description: 'Tells what an address gives, piece by piece.',
    fields: { url: { kind: 'text', title: 'Address' } },
    inputs: { data: { title: 'Data', type: 'any' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    emits: 'text',
    run: async ({ fields, signal, emit }: SpeakStep) => {
      let whole = ''
      for (;;) {
        const response = await fetch(fields.url, { method: 'POST', headers: { connection: 'close' }, signal })
        if (!response.ok) throw new Error(`The other side answered ${response.status}.`)
        const { text = '', restart = false, isLast = false } = (await response.json()) as Told
        if (isLast) return { text: whole }
        emit(text, { restart })
        whole = restart ? text : whole + text
      }
    }
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(speak, { [Symbol.for('skip-override')]: true })
