/** Writes a formula as Word has it (OMML), from the MathML that Temml makes of LaTeX. */
import { elementsIn, lettersIn, parseXml, type XmlElement } from '../../text/xml-tree.ts'
import { formulaHtml } from '../formula-html.ts'

/** Null for a formula that Word has no form for, and for what is no formula. */
export function ommlOf(latex: string, isBlock: boolean): string | null {
  const markup = formulaHtml(latex, isBlock)
  const math = markup === null ? null : parseXml(markup)
  if (!math) return null
  try {
    const omml = `<m:oMath>${sequence(elementsIn(math))}</m:oMath>`
    return isBlock ? `<m:oMathPara>${omml}</m:oMathPara>` : omml
  } catch (error) {
    if (error instanceof NoForm) return null
    throw error
  }
}

class NoForm extends Error {
  override readonly name = 'NoForm'
}

/** Signs that stand before what they go over. */
const isOverall = (node: XmlElement | undefined): boolean =>
  node?.name === 'mo' && /^[∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂]$/.test(lettersIn(node))

function sequence(nodes: readonly XmlElement[]): string {
  let omml = ''
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!
    const scripts = /^m(?:sub|sup|under|over)/.test(node.name) ? elementsIn(node) : [node]
    const next = nodes[at + 1]
    if (isOverall(scripts[0]) && next) {
      omml += overall(node.name, scripts, next)
      at++
    } else omml += write(node)
  }
  return omml
}

function overall(name: string, [sign, ...limits]: readonly XmlElement[], over: XmlElement): string {
  const hasUpperAlone = /^m(?:sup|over)$/.test(name)
  const [lower, upper] = hasUpperAlone ? [undefined, limits[0]] : limits
  const hide = (limit: XmlElement | undefined, property: string): string =>
    limit ? '' : `<m:${property} m:val="1"/>`
  const place = /under|over/.test(name) ? 'undOvr' : 'subSup'
  const properties = `<m:chr m:val="${lettersIn(sign!)}"/><m:limLoc m:val="${place}"/>${hide(lower, 'subHide')}${hide(upper, 'supHide')}`
  return `<m:nary><m:naryPr>${properties}</m:naryPr>${part('sub', lower)}${part('sup', upper)}${part('e', over)}</m:nary>`
}

const part = (name: string, node: XmlElement | undefined): string =>
  `<m:${name}>${node ? write(node) : ''}</m:${name}>`

const isColored = ([name, value]: readonly [string, string]): boolean =>
  /^math(?:color|background)$/.test(name) || (name === 'style' && value.includes('color'))

/** The elements that take so many parts, by the names of these. */
const structures: Readonly<Record<string, readonly [name: string, ...parts: string[]]>> = {
  msup: ['sSup', 'e', 'sup'],
  msub: ['sSub', 'e', 'sub'],
  msubsup: ['sSubSup', 'e', 'sub', 'sup'],
  munder: ['limLow', 'e', 'lim'],
}

function write(node: XmlElement): string {
  if (Object.entries(node.attributes).some(isColored)) throw new NoForm('a color')
  const children = elementsIn(node)
  const structure = structures[node.name]
  if (structure) {
    const [name, ...parts] = structure
    return `<m:${name}>${parts.map((each, at) => part(each, children[at])).join('')}</m:${name}>`
  }
  switch (node.name) {
    case 'mrow':
      return writeRow(children)
    case 'mi':
      return run(lettersIn(node), /^[a-zA-Z]{2,}$/.test(lettersIn(node)) ? '<m:sty m:val="p"/>' : '')
    case 'mn':
    case 'mo':
      return run(lettersIn(node))
    case 'mtext':
      return run(lettersIn(node), '<m:nor/>')
    case 'mspace':
      return space(Number.parseFloat(node.attributes['width'] ?? '0'))
    case 'mfrac':
      return writeFraction(node, children)
    case 'msqrt':
      return `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${sequence(children)}</m:e></m:rad>`
    case 'mroot':
      return `<m:rad>${part('deg', children[1])}${part('e', children[0])}</m:rad>`
    case 'mover':
      return writeOver(children)
    case 'munderover':
      return `<m:limUpp><m:e><m:limLow>${part('e', children[0])}${part('lim', children[1])}</m:limLow></m:e>${part('lim', children[2])}</m:limUpp>`
    case 'menclose':
      return writeBar(node, children)
    case 'mtable':
      return writeMatrix(children)
    default:
      throw new NoForm(node.name)
  }
}

/** Invisible signs say only what belongs together. */
function run(letters: string, properties = ''): string {
  const shown = letters.replaceAll(/[\u2061-\u2064]/g, '')
  if (/&(?!(?:amp|lt|gt);)/.test(shown)) throw new NoForm(letters)
  const style = properties && `<m:rPr>${properties}</m:rPr>`
  return shown === '' ? '' : `<m:r>${style}<m:t xml:space="preserve">${shown}</m:t></m:r>`
}

const space = (width: number): string => (width > 0 ? run(width < 0.9 ? '\u2009' : '\u2003') : '')

const isFence = (node: XmlElement | undefined, form: string): node is XmlElement =>
  node?.name === 'mo' &&
  node.attributes['fence'] === 'true' &&
  node.attributes['stretchy'] === 'true' &&
  node.attributes['form'] === form

function writeRow(children: readonly XmlElement[]): string {
  const [open, close] = [children[0], children.at(-1)]
  if (children.length < 2 || !isFence(open, 'prefix') || !isFence(close, 'postfix')) return sequence(children)
  const properties = `<m:begChr m:val="${lettersIn(open)}"/><m:endChr m:val="${lettersIn(close)}"/>`
  return `<m:d><m:dPr>${properties}</m:dPr><m:e>${sequence(children.slice(1, -1))}</m:e></m:d>`
}

function writeFraction({ attributes }: XmlElement, children: readonly XmlElement[]): string {
  const isBare = attributes['linethickness']?.startsWith('0')
  const properties = isBare ? '<m:fPr><m:type m:val="noBar"/></m:fPr>' : ''
  return `<m:f>${properties}${part('num', children[0])}${part('den', children[1])}</m:f>`
}

/** By the sign that MathML has, the one that combines with a letter. */
const accents: Readonly<Record<string, string>> = {
  ˆ: '\u0302',
  '^': '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  ˉ: '\u0304',
  '¯': '\u0304',
  '‾': '\u0304',
  '˙': '\u0307',
  '¨': '\u0308',
  '→': '\u20D7',
  '⃗': '\u20D7',
}

function writeOver([base, above]: readonly XmlElement[]): string {
  const accent = above?.name === 'mo' ? accents[lettersIn(above)] : undefined
  if (accent !== undefined)
    return `<m:acc><m:accPr><m:chr m:val="${accent}"/></m:accPr>${part('e', base)}</m:acc>`
  return `<m:limUpp>${part('e', base)}${part('lim', above)}</m:limUpp>`
}

function writeBar({ attributes }: XmlElement, children: readonly XmlElement[]): string {
  const place = { top: 'top', bottom: 'bot' }[attributes['notation'] ?? '']
  if (place === undefined) throw new NoForm('menclose')
  return `<m:bar><m:barPr><m:pos m:val="${place}"/></m:barPr><m:e>${sequence(children)}</m:e></m:bar>`
}

function writeMatrix(rows: readonly XmlElement[]): string {
  const written = rows.map((row) => {
    if (row.name !== 'mtr') throw new NoForm(row.name)
    const cells = elementsIn(row).map((cell) => `<m:e>${sequence(elementsIn(cell))}</m:e>`)
    return `<m:mr>${cells.join('')}</m:mr>`
  })
  return `<m:m>${written.join('')}</m:m>`
}
