import { IconPuzzle } from '../../../design/icons/component-icons.ts'
import { iconNamed } from './known-icons.ts'

interface ComponentIconProps {
  readonly name: string | null | undefined
  readonly size?: number
}

export function ComponentIcon({ name, size = 18 }: ComponentIconProps) {
  const Icon = iconNamed(name) ?? IconPuzzle
  return <Icon size={size} stroke={1.7} aria-hidden />
}
