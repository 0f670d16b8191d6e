import type { PortType } from '../../../src/flows/component/ports.ts'

const SHAPES: Readonly<Record<PortType, React.ReactNode>> = {
  text: <circle cx="6" cy="6" r="4.5" />,
  data: <rect x="1.75" y="1.75" width="8.5" height="8.5" rx="1.5" />,
  table: <path d="M6 .8 11.2 6 6 11.2.8 6Z" strokeLinejoin="round" />,
  tools: <path d="M6 1.200 11 10.500H1Z" strokeLinejoin="round" />,
  any: (
    <path
      d="M6 1.200 10.400 3.600v4.800L6 10.800 1.600 8.400V3.600Z"
      fill="none"
      strokeLinejoin="round"
      strokeWidth="2"
    />
  )
}

/** The mark of a port's type: a colour and a shape of its own. */
export function PortMark({ type, size = 12 }: { readonly type: PortType; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 12 12"
      fill={`var(--port-${type})`}
      stroke={`var(--port-${type})`}
      strokeWidth="1"
      aria-hidden
    >
      {SHAPES[type]}
    </svg>
  )
}
