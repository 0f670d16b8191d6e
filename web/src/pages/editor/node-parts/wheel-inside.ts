/**
 * For rooms on a node that scroll when there is much in them: the wheel is theirs only then, and the canvas' else.
 * Looked up when the pointer comes, so that eighty nodes need not watch their sizes.
 */
export const wheelInside = {
  onPointerEnter: ({ currentTarget: room }: React.PointerEvent<HTMLElement>) => {
    const scrolls = room.scrollHeight > room.clientHeight || room.scrollWidth > room.clientWidth
    room.classList.toggle('nowheel', scrolls)
  }
}
