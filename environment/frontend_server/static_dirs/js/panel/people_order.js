/** Which people are listed, in which groups and order. Pure functions. */

import { gettext } from "../translation.js";

/**
 * @typedef {{name: string, words: string, place: string, isTalking: boolean, isAwake: boolean, distance: number, isInView: boolean}} Person
 */

/** @param {Person} one  @param {Person} other */
const byDistance = (one, other) => one.distance - other.distance;

/**
 * Ways to order the list: their names, and what they make of people.
 * @typedef {{heading: string, isPlace?: boolean, people: Person[]}} PeopleGroup
 * @type {Record<string, {label: () => string, groups: (people: Person[]) => PeopleGroup[]}>}
 */
export const ORDERS = {
  place: { label: () => gettext("By place"), groups: byPlace },
  talking: {
    label: () => gettext("Talking first"),
    groups: (people) => parted(people, ({ isTalking }) => isTalking, [gettext("Talking"), gettext("Not talking")]),
  },
  near: {
    label: () => gettext("Near first"),
    groups: (people) =>
      parted(people.toSorted(byDistance), ({ isInView }) => isInView, [gettext("In view"), gettext("Farther away")]),
  },
  awake: {
    label: () => gettext("Awake first"),
    groups: (people) => parted(people, ({ isAwake }) => isAwake, [gettext("Awake"), gettext("Asleep")]),
  },
  name: { label: () => gettext("By name"), groups: (people) => [{ heading: "", people: people.toSorted(byName) }] },
};

/**
 * Returns those who are found by a search, in groups with headings; no group is empty.
 * @param {Person[]} people  @param {string} order key of ORDERS  @param {string} wanted words to search for
 * @returns {Array<{heading: string, isPlace?: boolean, people: Person[]}>} `isPlace`: whether the heading names a place
 */
export function groupPeople(people, order, wanted) {
  const words = wanted.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const found = people.filter((person) => {
    const text = `${person.name} ${person.words} ${person.place}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
  return ORDERS[order].groups(found).filter((group) => group.people.length);
}

/**
 * The first people of groups, and how many each group has in all.
 * @param {PeopleGroup[]} groups  @param {number} most
 */
export function firstOf(groups, most) {
  let left = most;
  return groups.flatMap((group) => {
    const people = group.people.slice(0, left);
    left -= people.length;
    return people.length ? [{ ...group, people, count: group.people.length }] : [];
  });
}

/** Places by name; those who are outdoors come last. @param {Person[]} people  @returns {PeopleGroup[]} */
function byPlace(people) {
  /** @type {Map<string, Person[]>} */
  const at = new Map();
  for (const person of people) {
    if (at.has(person.place)) at.get(person.place).push(person);
    else at.set(person.place, [person]);
  }
  const places = [...at.keys()];
  places.sort((one, other) => Number(one === "") - Number(other === "") || one.localeCompare(other));
  return places.map((place) => ({
    heading: place || gettext("Outdoors"),
    isPlace: place !== "",
    people: at.get(place),
  }));
}

/**
 * @param {Person[]} people  @param {(person: Person) => boolean} isFirst  @param {[string, string]} headings
 * @returns {PeopleGroup[]}
 */
function parted(people, isFirst, headings) {
  return [true, false].map((first, place) => ({
    heading: headings[place],
    people: people.filter((person) => isFirst(person) === first),
  }));
}

/** @param {Person} one  @param {Person} other */
function byName(one, other) {
  return one.name.localeCompare(other.name);
}
