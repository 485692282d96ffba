/** Elements that stand in each other, and are always closed in what programs put on a clipboard. `[^<>]` keeps the search linear. */
const container =
  /<(\/?)(?:article|b|blockquote|center|details|div|em|font|i|main|ol|section|span|strong|u|ul)\b[^<>]*>/gi

/** Of what pages have, the deepest are some 60 levels deep. */
export const MAX_HTML_DEPTH = 250

/** Leaves out the tags of what is deeper, and no letters: a browser parses 10,000 quotes in each other for seconds. */
export function limitHtmlDepth(html: string): string {
  let depth = 0
  return html.replace(container, (tag, slash: string) => {
    if (slash === '') depth++
    const isTooDeep = depth > MAX_HTML_DEPTH
    if (slash !== '' && depth > 0) depth--
    return isTooDeep ? '' : tag
  })
}
