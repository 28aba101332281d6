import { contains, type Prefix } from '../../../base/net/prefix.ts';

/** Counts visited nodes of tries, so that a test can compare the work of a request with the depth of a trie. */
export interface Meter {
  visits: number;
}

/** The node of the whole network. Every node is a number; a pair of halves is two numbers in a row. */
export const ROOT = 0;

/** No node has the root as a half, so 0 can also mean "not split". */
const NOT_SPLIT = 0;

/** Owners of a node: none, one exclusive owner, or (a positive number) the number of sharing owners. */
const UNOWNED = 0;
const EXCLUSIVE = -1;

/** Largest number of nodes in a path: an address has 32 bits, so a path has at most 33 nodes. */
const LONGEST_PATH = 33;

/**
 * The nodes from the root towards the network of the last search. Shared by all tries: searches never interrupt each
 * other.
 */
const path = new Int32Array(LONGEST_PATH);

/** Count of numbers per node, consecutive in one array: ten thousand clusters have fifty thousand tries. */
const NUMBERS = 4;

/** Index of the left half; the right half is the next node. */
const LEFT = 0;

const OWNERS = 1;

/**
 * Bit n - 1 is set when a free block of length n lies in the node. There is no bit for length 0: such a block can only be
 * the root itself, and an unsplit node is always checked directly.
 */
const FREE_LENGTHS = 2;

/** 1 when the node or one below it is taken exclusively. */
const IS_EXCLUSIVE = 3;

/**
 * Capacity in nodes after the first growth. An unused pool has only a root; its first network needs two nodes for each
 * level.
 */
const SECOND_CAPACITY = 48;

/**
 * The taken networks inside one network, as a binary tree of halves. A node is split exactly when a network strictly
 * inside it is taken: halves are created on the path to a taken network and merge again as soon as both are free.
 *
 * Every node has the lengths of the free blocks below it, so that a search never enters a branch without room and
 * visits at most 33 nodes, regardless of the number of taken networks. A free block is a free, unsplit node with no
 * taken node around it.
 */
export class PrefixTrie {
  readonly root: Prefix;
  readonly #meter: Meter;
  #nodes = new Int32Array(NUMBERS);
  /** Number of nodes that are used or on the list of spare pairs. */
  #size = 1;
  /** The first unused pair of nodes, left over from merged halves; the others are linked as left halves. */
  #spare = NOT_SPLIT;
  constructor(root: Prefix, meter: Meter = { visits: 0 }) {
    this.root = root;
    this.#meter = meter;
    this.#clear(ROOT, root.length);
  }

  /** True when no equal, inner or outer network is taken. */
  fits(wanted: Prefix): boolean {
    return contains(this.root, wanted) && this.#isClear(this.#find(wanted), wanted);
  }

  /** Takes exactly this network for one owner; returns false and changes nothing when it does not fit. */
  take(wanted: Prefix): boolean {
    if (!contains(this.root, wanted)) return false;
    const found = this.#find(wanted);
    if (!this.#isClear(found, wanted)) return false;
    this.#own(this.#extend(found, wanted), EXCLUSIVE);
    return true;
  }

  /** Takes exactly this network together with its other sharing owners; false when an exclusive owner prevents it. */
  share(wanted: Prefix): boolean {
    if (!contains(this.root, wanted)) return false;
    const found = this.#find(wanted);
    for (let depth = 0; depth <= found; depth++) {
      if (this.#ownersOf(this.#at(depth)) === EXCLUSIVE) return false;
    }
    const end = this.#at(found);
    if (this.#lengthAt(found) === wanted.length && this.#get(end, IS_EXCLUSIVE) === 1) return false;
    const depth = this.#extend(found, wanted);
    this.#own(depth, this.#ownersOf(this.#at(depth)) + 1);
    return true;
  }

  /** Removes one owner of exactly this network; false when it has none. */
  release(prefix: Prefix): boolean {
    if (!contains(this.root, prefix)) return false;
    const found = this.#find(prefix);
    const owners = this.#ownersOf(this.#at(found));
    if (this.#lengthAt(found) !== prefix.length || owners === UNOWNED) return false;
    this.#set(this.#at(found), OWNERS, owners === EXCLUSIVE ? UNOWNED : owners - 1);
    this.#refreshPath(this.#merge(found));
    return true;
  }

  /** The left half of a node, `undefined` when it is not split. The right half is the next number. */
  leftHalf(node: number): number | undefined {
    this.#meter.visits++;
    const left = this.#leftOf(node);
    return left === NOT_SPLIT ? undefined : left;
  }

  isSplit(node: number): boolean {
    return this.#leftOf(node) !== NOT_SPLIT;
  }

  /** True when a node of `nodeLength` bits contains a free block that is wide enough for a network of `length` bits. */
  hasRoom(node: number, nodeLength: number, length: number): boolean {
    if (this.isSplit(node)) return this.freeLengths(node, length) !== 0;
    this.#meter.visits++;
    return this.#ownersOf(node) === UNOWNED && nodeLength <= length;
  }

  /** The lengths 1 to `longest` of the free blocks in a node: bit n - 1 is length n. */
  freeLengths(node: number, longest: number): number {
    this.#meter.visits++;
    return (this.#get(node, FREE_LENGTHS) & lengthsUpTo(longest)) >>> 0;
  }

  /** Number of networks of this length that fit into all free blocks together. */
  countFree(length: number): number {
    return this.#countFree(ROOT, this.root.length, length);
  }

  #countFree(node: number, nodeLength: number, length: number): number {
    if (!this.hasRoom(node, nodeLength, length)) return 0;
    const left = this.leftHalf(node);
    if (left === undefined) return 2 ** (length - nodeLength);
    return this.#countFree(left, nodeLength + 1, length) + this.#countFree(left + 1, nodeLength + 1, length);
  }

  /** Walks from the root towards a network, as far as there are nodes, and returns the depth of the last one. */
  #find(prefix: Prefix): number {
    let node = ROOT;
    let depth = 0;
    path[0] = ROOT;
    while (this.#lengthAt(depth) < prefix.length && this.isSplit(node)) {
      depth++;
      node = this.#leftOf(node) + bitOf(prefix.base, this.#lengthAt(depth));
      path[depth] = node;
    }
    this.#meter.visits += depth + 1;
    return depth;
  }

  /** True when no node of the path has an owner, and the last one contains no taken network. */
  #isClear(found: number, wanted: Prefix): boolean {
    for (let depth = 0; depth <= found; depth++) if (this.#ownersOf(this.#at(depth)) !== UNOWNED) return false;
    return this.#lengthAt(found) < wanted.length || !this.isSplit(this.#at(found));
  }

  /** Splits nodes from the end of the path down to the network itself and returns its depth. */
  #extend(found: number, wanted: Prefix): number {
    let depth = found;
    while (this.#lengthAt(depth) < wanted.length) {
      const left = this.#split(this.#at(depth), this.#lengthAt(depth));
      depth++;
      path[depth] = left + bitOf(wanted.base, this.#lengthAt(depth));
      this.#meter.visits++;
    }
    return depth;
  }

  #own(depth: number, owners: number): void {
    this.#set(this.#at(depth), OWNERS, owners);
    this.#refreshPath(depth);
  }

  /** Merges free halves from the node at this depth upwards and returns the depth of the last remaining node. */
  #merge(from: number): number {
    let depth = from;
    while (depth > 0) {
      const parent = this.#at(depth - 1);
      const left = this.#leftOf(parent);
      if (!this.#isFreeLeaf(left) || !this.#isFreeLeaf(left + 1)) break;
      this.#set(parent, LEFT, NOT_SPLIT);
      this.#set(left, LEFT, this.#spare);
      this.#spare = left;
      depth--;
      this.#meter.visits++;
    }
    return depth;
  }

  #isFreeLeaf(node: number): boolean {
    return this.#ownersOf(node) === UNOWNED && !this.isSplit(node);
  }

  #split(node: number, length: number): number {
    const left = this.#newPair();
    this.#clear(left, length + 1);
    this.#clear(left + 1, length + 1);
    this.#set(node, LEFT, left);
    return left;
  }

  /** Resets a node to one without taken networks. */
  #clear(node: number, length: number): void {
    this.#set(node, LEFT, NOT_SPLIT);
    this.#set(node, OWNERS, UNOWNED);
    this.#set(node, FREE_LENGTHS, lengthBit(length));
    this.#set(node, IS_EXCLUSIVE, 0);
  }

  #newPair(): number {
    const spare = this.#spare;
    if (spare !== NOT_SPLIT) {
      this.#spare = this.#leftOf(spare);
      return spare;
    }
    if ((this.#size + 2) * NUMBERS > this.#nodes.length) this.#grow();
    const left = this.#size;
    this.#size += 2;
    return left;
  }

  #grow(): void {
    const larger = new Int32Array(Math.max(SECOND_CAPACITY * NUMBERS, this.#nodes.length * 2));
    larger.set(this.#nodes);
    this.#nodes = larger;
  }

  #refreshPath(from: number): void {
    for (let depth = from; depth >= 0; depth--) this.#refresh(this.#at(depth), this.#lengthAt(depth));
    this.#meter.visits += from + 1;
  }

  /** Computes again the free lengths and the exclusive flag of a node. */
  #refresh(node: number, length: number): void {
    const owners = this.#ownersOf(node);
    const left = this.#leftOf(node);
    const split = left !== NOT_SPLIT;
    const below = split ? this.#get(left, IS_EXCLUSIVE) | this.#get(left + 1, IS_EXCLUSIVE) : 0;
    this.#set(node, IS_EXCLUSIVE, owners === EXCLUSIVE ? 1 : below);
    const inside = split ? this.#get(left, FREE_LENGTHS) | this.#get(left + 1, FREE_LENGTHS) : lengthBit(length);
    this.#set(node, FREE_LENGTHS, owners === UNOWNED ? inside : 0);
  }

  #at(depth: number): number {
    return path[depth] as number;
  }

  #lengthAt(depth: number): number {
    return this.root.length + depth;
  }

  #leftOf(node: number): number {
    return this.#get(node, LEFT);
  }

  #ownersOf(node: number): number {
    return this.#get(node, OWNERS);
  }

  #get(node: number, field: number): number {
    return this.#nodes[node * NUMBERS + field] as number;
  }

  #set(node: number, field: number, value: number): void {
    this.#nodes[node * NUMBERS + field] = value;
  }
}

/** 1 when the half that contains an address is the right one; `length` is that of the halves. */
function bitOf(address: number, length: number): number {
  return (address >>> (32 - length)) & 1;
}

// A shift by 32 is a shift by 0 in JavaScript, so length 0 is a special case in both functions.
function lengthBit(length: number): number {
  return length === 0 ? 0 : 1 << (length - 1);
}

function lengthsUpTo(longest: number): number {
  return longest === 0 ? 0 : 0xffffffff >>> (32 - longest);
}
