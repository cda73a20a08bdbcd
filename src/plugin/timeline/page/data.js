/* SPDX-License-Identifier: MIT */
/*
 * What the page was given: threads, their names, turns and events over time, in
 * nanoseconds since the picture's beginning. See doc/threads.md.
 */

const data = JSON.parse(document.getElementById("data").textContent);
const base = data.base_ns === undefined ? null : BigInt(data.base_ns);
/* Some width, if there is but one moment. */
const span = Math.max(data.span_ns, 1000);

/* Numbers as they are packed: seven bits a byte, the lowest first. */
function unpack(text) {
	const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
	let place = 0;

	return {
		more: () => place < bytes.length,
		next() {
			let number = 0, scale = 1, byte;

			do {
				byte = bytes[place++];
				/* Not by shifts: they have 32 bits only. */
				number += (byte & 127) * scale;
				scale *= 128;
			} while (byte > 127);
			return number;
		},
	};
}

function unpackNames(text) {
	const packed = unpack(text);
	const names = [];
	let begin = 0;

	while (packed.more()) {
		begin += packed.next();
		const number = packed.next();
		const told = packed.next();

		names.push({
			begin,
			number,
			text: data.texts[number],
			source: data.sources[told & 15],
			isStale: Boolean(told & 16),
			hasBegin: Boolean(told & 32),
			/* Names before it that are too short to show. */
			more: Math.floor(told / 64),
		});
	}
	return names;
}

/* Columns: an object for each would take too much of a browser. */
function unpackTrack(text, ofTurns) {
	const packed = unpack(text || "");
	const begins = [], ends = [], busies = [], counts = [], preempted = [];
	let begin = 0;

	while (packed.more()) {
		begin += packed.next();
		let length = packed.next();
		let isMany;

		if (ofTurns) {
			const told = packed.next();

			isMany = told & 2;
			preempted.push(told & 1);
			busies.push(length - Math.floor(told / 4));
		} else {
			isMany = length % 2;
			length = Math.floor(length / 2);
		}
		begins.push(begin);
		ends.push(begin + length);
		counts.push(isMany ? packed.next() : 1);
	}
	return {
		length: begins.length,
		begins: Float64Array.from(begins),
		ends: Float64Array.from(ends),
		busies: Float64Array.from(busies),
		counts: Float64Array.from(counts),
		preempted: Uint8Array.from(preempted),
	};
}

function makeThread(told, index) {
	const names = unpackNames(told.names);

	return {
		...told,
		index,
		host: data.hosts[told.host],
		hostNumber: told.host,
		names,
		begin: told.begin === undefined ? 0 : told.begin,
		end: told.end === undefined ? span : told.end,
		turns: unpackTrack(told.turns, true),
		seen: unpackTrack(told.seen, false),
		isSilent: !told.turns && !told.seen,
		/* Of CPU 0 of old kernels, plain "swapper". */
		isIdle: told.pid === 0 && told.tid === 0,
		words: names.map((name) => name.text.toLowerCase()),
	};
}

const threads = data.threads.map(makeThread);

/* The last place whose value is not above `time`; -1: there is none. */
function placeOf(values, time, valueOf = (value) => value) {
	let low = 0, high = values.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (valueOf(values[middle]) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

const beginOf = (name) => name.begin;

function isSameProcess(a, b) {
	return a.hostNumber === b.hostNumber && a.pid === b.pid &&
		Boolean(a.virtual) === Boolean(b.virtual) &&
		(!a.virtual || a.ns === b.ns);
}

function lastName(thread) {
	return thread.names[thread.names.length - 1].text;
}

function makeProcess(members) {
	const main = members.find((thread) => thread.tid === thread.pid);
	const first = members[0];
	let name = lastName(main || first);

	if (first.pid === undefined)
		name = first.tid === undefined ? "thread not told" :
			"process not told";
	else if (first.isIdle)
		name = "idle";
	return {
		threads: members,
		name,
		host: first.host,
		pid: first.pid,
		isVirtual: Boolean(first.virtual),
		isIdle: first.isIdle,
		isFolded: false,
	};
}

/*
 * A pid is used again: each life of a leader is a process of its own, with the
 * threads that began in it.
 */
function splitLives(members) {
	const leaders = members[0].pid > 0 ?
		members.filter((thread) => thread.tid === thread.pid) : [];
	const lives = leaders.map((leader) => [leader]);

	if (lives.length < 2)
		return [members];
	for (const thread of members) {
		if (thread.tid !== thread.pid)
			lives[Math.max(0, placeOf(leaders, thread.begin, beginOf))]
				.push(thread);
	}
	return lives;
}

/* Threads come by process; the idle ones are of least interest. */
function groupProcesses() {
	const groups = [];

	for (const thread of threads) {
		const group = groups[groups.length - 1];

		if (group && isSameProcess(group[0], thread))
			group.push(thread);
		else
			groups.push([thread]);
	}
	const processes = groups.flatMap(splitLives).map(makeProcess);
	return [...processes.filter((process) => !process.isIdle),
		...processes.filter((process) => process.isIdle)];
}

const processes = groupProcesses();

/* Idle time is no one's work. */
function eventsOf(process) {
	return process.isIdle ? -1 :
		process.threads.reduce((sum, thread) => sum + thread.events, 0);
}

const busiest = [...processes].sort((a, b) => eventsOf(b) - eventsOf(a));
const hasTurns = threads.some((thread) => thread.turns.length > 0);

function namePlace(thread, time) {
	return Math.max(0, placeOf(thread.names, time, beginOf));
}

function nameEnd(thread, place) {
	return place + 1 < thread.names.length ?
		thread.names[place + 1].begin : thread.end;
}

/*
 * Colours. Names that differ in digits only are of one family, and of one hue:
 * a pool of workers is seen as such, and so is each rename in it. The families
 * with most events have the hues that differ most.
 */
const families = new Map();

function familyOf(text) {
	return text.replace(/[0-9]+/g, "0");
}

function numberFamilies() {
	const weights = new Map();

	for (const thread of threads) {
		if (thread.isIdle)
			continue;
		for (const name of thread.names) {
			const family = familyOf(name.text);

			weights.set(family, (weights.get(family) || 0) +
				thread.events / thread.names.length);
		}
	}
	[...weights].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
		.forEach(([family], number) => families.set(family, number));
}

numberFamilies();

const GOLDEN_ANGLE = 137.508;

/* {hue, shade} of a text, or null: grey. */
const tints = data.texts.map((text) => {
	const family = families.get(familyOf(text));
	const digits = text.match(/[0-9]+/g);

	if (family === undefined || text === "<...>")
		return null;
	return {
		hue: (255 + family * GOLDEN_ANGLE) % 360,
		shade: digits ? Number(digits[digits.length - 1].slice(-6)) % 5 - 2 :
			0,
	};
});
