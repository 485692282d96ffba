import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-accent-ink hover:opacity-90 font-medium',
  plain: 'border border-edge/60 bg-raised hover:bg-sunk',
  quiet: 'text-muted hover:bg-sunk hover:text-ink data-popup-open:bg-sunk',
  danger: 'bg-danger text-danger-ink hover:opacity-90 font-medium',
} as const

const shapes = {
  text: 'min-h-9 px-3.5 gap-2',
  small: 'min-h-8 px-2.5 gap-1.5 text-sm',
  icon: 'size-9',
} as const

interface ButtonLook {
  look?: keyof typeof looks
  shape?: keyof typeof shapes
}

/** Only the classes, for links and Base UI parts that should look like a button. */
export const buttonClass = ({ look = 'plain', shape = 'text' }: ButtonLook = {}): string =>
  `inline-flex shrink-0 items-center justify-center rounded-lg whitespace-nowrap transition-colors duration-100 select-none disabled:opacity-55 aria-disabled:opacity-55 ${looks[look]} ${shapes[shape]}`

export function Button({ look, shape, className = '', ...rest }: ComponentProps<'button'> & ButtonLook) {
  const style = { ...(look && { look }), ...(shape && { shape }) }
  return <button type="button" {...rest} className={`${buttonClass(style)} ${className}`} />
}
