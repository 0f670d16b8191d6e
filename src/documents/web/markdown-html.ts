import MarkdownIt from 'markdown-it'

/** Tags in it are shown as they are, and links lead nowhere but to the web, mail and files of this kind: it may come from anybody. */
const markdown = new MarkdownIt({ html: false, linkify: false })

export function markdownHtml(text: string): string {
  return markdown.render(text)
}
