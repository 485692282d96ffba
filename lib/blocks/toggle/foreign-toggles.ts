/** A summary holds letters alone; Notion has each of its toggles in a list. */
export function convertToggles(body: HTMLElement): void {
  for (const block of body.querySelectorAll('summary :is(h1, h2, h3, h4, h5, h6, p, div)'))
    block.replaceWith(...block.childNodes)
  for (const list of body.querySelectorAll('ul.toggle'))
    list.replaceWith(...[...list.children].flatMap((item) => [...item.childNodes]))
}
