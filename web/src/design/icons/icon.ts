import { createElement, type ReactElement, type SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Of a side, in pixels. */
  readonly size?: number
  /** How thick its lines are, in 24ths of a side. */
  readonly stroke?: number
}

export type Icon = (props: IconProps) => ReactElement

const SQUARE = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round'
} as const

/** Lines in a square of 24, in the colour of the text around it; and areas of that colour, where it has some. */
export function icon(lines: string, areas?: string): Icon {
  return ({ size = 24, stroke = 2, className, ...rest }) =>
    createElement(
      'svg',
      {
        ...SQUARE,
        width: size,
        height: size,
        strokeWidth: stroke,
        className: className === undefined ? 'page-icon' : `page-icon ${className}`,
        ...rest
      },
      createElement('path', { d: lines }),
      areas === undefined ? null : createElement('path', { d: areas, fill: 'currentColor' })
    )
}
