import { templateTokens } from '../../../../editor/template/template-tokens.ts'
import classes from './template-field.module.css'
import { tokenClass } from './token-class.ts'

/** A template with its variables coloured, without an editor: hundreds of them stand on a canvas. */
export function ColouredTemplate({ source }: { readonly source: string }) {
  return templateTokens(source).map(({ kind, from, to }) => (
    <span key={from} className={classes[tokenClass(kind)]}>
      {source.slice(from, to)}
    </span>
  ))
}
