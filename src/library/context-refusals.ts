import { MillraceError } from '../errors.ts'

export function contextExists(path: string): MillraceError {
  return new MillraceError('context_exists', `There is a context "${path}" already. Choose another name.`)
}

export function noParent(parent: string, name: string): MillraceError {
  return new MillraceError('context_not_found', `There is no context "${parent}" to put "${name}" into.`)
}

export function inhabited(path: string, what: 'moved' | 'deleted'): MillraceError {
  return new MillraceError(
    'context_in_use',
    `The context "${path}" cannot be ${what}: flows, connections or collections live there, or keys are bound to it. Move those first.`
  )
}
