export const fieldClass =
  'h-9 w-full min-w-0 rounded-lg border border-edge bg-paper px-2.5 text-sm text-ink aria-invalid:border-danger'
