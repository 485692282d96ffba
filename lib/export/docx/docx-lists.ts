/** The lists of a file of Word, which has them apart from their paragraphs: each numbered list counts for itself. */
import { AlignmentType, type ILevelsOptions, type INumberingOptions, LevelFormat } from 'docx'
import type { StoredAttributes } from '../../blocks/definitions.ts'
import { listStartOf } from '../../blocks/ordered-list/ordered-list.ts'

/** Word has nine levels. */
const LAST_LEVEL = 8
const STEP = 567
const HANGING = 360

const formats: Readonly<Record<string, (typeof LevelFormat)[keyof typeof LevelFormat]>> = {
  a: LevelFormat.LOWER_LETTER,
  A: LevelFormat.UPPER_LETTER,
  i: LevelFormat.LOWER_ROMAN,
  I: LevelFormat.UPPER_ROMAN,
}

const bullets = ['•', '◦', '▪'] as const

const levelsOf = (level: (index: number) => Partial<ILevelsOptions>): ILevelsOptions[] =>
  Array.from({ length: LAST_LEVEL + 1 }, (_, index) => ({
    level: index,
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { start: STEP * (index + 1), hanging: HANGING } } },
    ...level(index),
  }))

const BULLETS = 'bullets'

export class DocxLists {
  readonly #config: INumberingOptions['config'][number][] = [
    {
      reference: BULLETS,
      levels: levelsOf((index) => ({ format: LevelFormat.BULLET, text: bullets[index % bullets.length]! })),
    },
  ]

  bulletsAt(depth: number) {
    return { reference: BULLETS, level: Math.min(depth, LAST_LEVEL) }
  }

  /** A list that counts from its own first number. */
  numbersAt(depth: number, attributes: StoredAttributes) {
    const reference = `numbers-${this.#config.length}`
    const start = listStartOf(attributes)
    const format = formats[String(attributes['type'])] ?? LevelFormat.DECIMAL
    this.#config.push({
      reference,
      levels: levelsOf((index) => ({ format, text: `%${index + 1}.`, start })),
    })
    return { reference, level: Math.min(depth, LAST_LEVEL) }
  }

  get numbering(): INumberingOptions {
    return { config: this.#config }
  }
}
