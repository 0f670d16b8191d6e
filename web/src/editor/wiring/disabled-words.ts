import { fits } from '../../../../src/flows/component/ports.ts'
import type { ComponentFacts } from './page-catalogue.ts'

/**
 * What a disabled node does to what follows: what reaches its first input leaves by its first output where the types fit;
 * nothing else leaves it.
 */
export function disabledWords(
  component: Pick<ComponentFacts, 'inputs' | 'outputs' | 'trigger'> | undefined
): string {
  if (component === undefined) return 'disabled'
  const [input] = Object.values(component.inputs)
  const [output] = Object.values(component.outputs)
  if (component.trigger !== null) return 'disabled: starts no runs'
  if (output === undefined) return 'disabled: does nothing'
  const passes = input !== undefined && fits(input.type, output.type)
  return passes ? 'disabled: passes its input on' : 'disabled: nothing leaves it'
}
