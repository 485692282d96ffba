import type { ReactNode } from 'react'

interface SelectProps {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly describedBy?: string
  readonly children: ReactNode
}

export const Select = ({ id, value, onChange, describedBy, children }: SelectProps) => (
  <select
    id={id}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    aria-describedby={describedBy}
    className="h-9 max-w-full self-start rounded-lg border border-edge bg-paper px-2 text-ink"
  >
    {children}
  </select>
)
