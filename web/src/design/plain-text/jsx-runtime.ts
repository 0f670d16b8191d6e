import { Fragment, jsx as makeOne, jsxs as makeSeveral } from 'react/jsx-runtime'
import { plainChildren } from './plain-children.ts'

export { Fragment }

/**
 * React's own way to make elements, with one rule more: whatever becomes text in the page goes through plain-children.ts.
 * The build puts it in the place of `react/jsx-runtime`, for the page and for the libraries that it is made of: names,
 * errors and payloads come to hundreds of places, and one that is forgotten is one that misleads.
 */
export const jsx: typeof makeOne = (type, props, key) => makeOne(type, plainProps(props), key)

export const jsxs: typeof makeSeveral = (type, props, key) => makeSeveral(type, plainProps(props), key)

/** Of elements and of components: some libraries make an element of what they are given in another way. */
function plainProps(props: unknown): unknown {
  const { children } = props as { readonly children?: unknown }
  const plain = plainChildren(children)
  return plain === children ? props : Object.assign({}, props, { children: plain })
}
