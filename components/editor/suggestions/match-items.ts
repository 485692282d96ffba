/** Finds what a person means by the beginnings of words. */
interface Searchable {
  readonly name: string
  readonly words?: string
}

const wordsOf = (text: string): readonly string[] =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(/\s+/).filter(Boolean)

/** Each word of the query begins a word of the item. Items whose name begins with the query come first. */
export function matchItems<Item extends Searchable>(items: readonly Item[], query: string): readonly Item[] {
  const typed = wordsOf(query)
  const isMatch = ({ name, words = '' }: Item): boolean => {
    const known = wordsOf(`${name} ${words}`)
    return typed.every((word) => known.some((candidate) => candidate.startsWith(word)))
  }
  const startsName = ({ name }: Item): boolean => wordsOf(name).join(' ').startsWith(typed.join(' '))
  return items.filter(isMatch).toSorted((a, b) => Number(startsName(b)) - Number(startsName(a)))
}
