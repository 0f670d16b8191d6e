import classes from './context-tree.module.css'
import { type Direction, NODE, relationTo, type TreeEdge, type TreePicture } from './tree-layout.ts'

interface TreeLinesProps {
  readonly picture: TreePicture
  readonly direction: Direction
  readonly chosen: string
}

/** The lines from parents to children; the way up from the chosen one, along which it sees, stands out. */
export function TreeLines({ picture, direction, chosen }: TreeLinesProps) {
  const draw = direction === 'across' ? across : down
  const lines = picture.edges.map((edge) => ({
    path: edge.to.context.path,
    drawn: draw(edge),
    isSeen: ['chosen', 'above'].includes(relationTo(chosen, edge.to.context.path))
  }))
  return (
    <svg className={classes.lines} width={picture.width} height={picture.height} aria-hidden>
      {/* Those that stand out lie on top. */}
      {lines
        .toSorted((a, b) => Number(a.isSeen) - Number(b.isSeen))
        .map(({ path, drawn, isSeen }) => (
          <path key={path} d={drawn} data-seen={isSeen || undefined} />
        ))}
    </svg>
  )
}

function across({ from, to }: TreeEdge): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2]
  const [x2, y2] = [to.x, to.y + NODE.height / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

function down({ from, to }: TreeEdge): string {
  const x = from.x + 10
  return `M${x} ${from.y + NODE.height} V${to.y + NODE.height / 2 - 6} q0 6 6 6 H${to.x}`
}
