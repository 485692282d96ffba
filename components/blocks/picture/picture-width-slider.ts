/** The handle at a picture's edge: dragged, or moved by arrows, it chooses a part of the text's width. Knows no document. */
import { type PictureWidth, pictureWidths } from '@/lib/blocks/picture/picture-attributes.ts'
import { pictureStrings } from '@/lib/strings/picture.ts'

export class PictureWidthSlider {
  readonly handle = document.createElement('span')
  readonly #figure: HTMLElement
  readonly #frame: HTMLElement
  readonly #onChange: (width: PictureWidth | null) => void
  #width: PictureWidth | null = null
  #drag: AbortController | null = null

  /** @param onChange Called once a drag has ended, and for each key. */
  constructor(figure: HTMLElement, frame: HTMLElement, onChange: (width: PictureWidth | null) => void) {
    this.#figure = figure
    this.#frame = frame
    this.#onChange = onChange
    const { handle } = this
    handle.className = 'picture-handle'
    handle.role = 'slider'
    handle.ariaLabel = pictureStrings.width
    handle.ariaValueMin = String(pictureWidths[0])
    handle.ariaValueMax = String(pictureWidths.at(-1))
    handle.addEventListener('pointerdown', (event) => this.#startDrag(event))
    handle.addEventListener('keydown', (event) => this.#moveByKey(event))
  }

  /** Called after each change of the picture. What somebody else has changed during a drag is shown after it. */
  show(width: PictureWidth | null, isEditable: boolean): void {
    this.#width = width
    this.handle.hidden = !isEditable
    this.handle.tabIndex = isEditable ? 0 : -1
    if (!isEditable) this.cancel()
    if (!this.#drag) this.#draw(width)
  }

  cancel(): void {
    this.#drag?.abort()
    this.#drag = null
  }

  #draw(width: PictureWidth | null): void {
    if (width === null) delete this.#figure.dataset.percent
    else this.#figure.dataset.percent = String(width)
    this.handle.ariaValueNow = String(width ?? this.#nearestTo(this.#frame.offsetWidth))
    this.handle.ariaValueText = pictureStrings.widthText(width)
  }

  #nearestTo(pixels: number): PictureWidth {
    const percent = (100 * pixels) / Math.max(1, this.#figure.clientWidth)
    return pictureWidths.reduce((nearest, width) =>
      Math.abs(width - percent) < Math.abs(nearest - percent) ? width : nearest,
    )
  }

  #startDrag(event: PointerEvent): void {
    if (event.button !== 0 || this.#drag) return
    event.preventDefault()
    const { handle } = this
    const [startX, startWidth, first] = [event.clientX, this.#frame.offsetWidth, this.#width]
    // A picture in the middle grows on both sides.
    const { align } = this.#figure.dataset
    const isFromRight = getComputedStyle(this.#figure).direction === 'rtl'
    const growth = (align === 'center' ? 2 : 1) * (isFromRight === (align !== 'end') ? -1 : 1)
    let chosen = first
    const drag = new AbortController()
    const { signal } = drag
    this.#drag = drag
    handle.setPointerCapture(event.pointerId)
    const onMove = ({ clientX }: PointerEvent): void => {
      chosen = this.#nearestTo(startWidth + growth * (clientX - startX))
      this.#draw(chosen)
    }
    const end = (isChosen: boolean): void => {
      this.cancel()
      this.#draw(this.#width)
      if (isChosen && chosen !== first) this.#onChange(chosen)
    }
    handle.addEventListener('pointermove', onMove, { signal })
    handle.addEventListener('pointerup', () => end(true), { signal })
    handle.addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
  }

  #moveByKey(event: KeyboardEvent): void {
    const next = this.#widthAfterKey(event.key)
    if (next === undefined) return
    event.preventDefault()
    if (next !== this.#width) this.#onChange(next)
  }

  /** Undefined for another key. */
  #widthAfterKey(key: string): PictureWidth | null | undefined {
    const at = pictureWidths.indexOf(this.#width ?? this.#nearestTo(this.#frame.offsetWidth))
    switch (key) {
      case 'ArrowRight':
      case 'ArrowUp':
        return pictureWidths[Math.min(at + 1, pictureWidths.length - 1)]
      case 'ArrowLeft':
      case 'ArrowDown':
        return pictureWidths[Math.max(at - 1, 0)]
      case 'Home':
        return pictureWidths[0]
      case 'End':
        return pictureWidths.at(-1)
      case 'Backspace':
      case 'Delete':
        return null
      default:
        return undefined
    }
  }
}
