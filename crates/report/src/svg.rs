//! The tree of a root's state variables as a picture. Knows nothing of facts.
//!
//! Invariants: the same tree gives the same bytes; what is not drawn is counted at the node that it is below.

use crate::html::text;
use crate::names::{counted, number, percent};
use crate::tree::Node;
use std::fmt::Write;

/// Most nodes of a picture; of larger trees the upper levels are drawn.
const MOST: usize = 32;
/// Most characters of a name.
const LETTERS: usize = 26;
const ROW: usize = 48;
const HEIGHT: usize = 40;
const GAP: usize = 36;
/// Width of a letter of the names, in the units of the picture.
const LETTER: f64 = 7.4;

/// A node with its place.
struct Placed<'a> {
    node: &'a Node,
    depth: usize,
    row: usize,
    above: Option<usize>,
    hidden: usize,
}

/// Draws the tree of a root, whose name and number tell its ids from those of others.
pub fn picture(root: &str, number_of_root: usize, tree: &Node) -> String {
    let deepest =
        (1..).find(|&depth| tree.size_to(depth + 1) == tree.size_to(depth) || tree.size_to(depth + 1) > MOST);
    let mut placed = vec![];
    place(tree, (0, None), deepest.unwrap_or(1), &mut 0, &mut placed);
    let widths = widths(root, &placed);
    let left = |depth: usize| widths.iter().take(depth).map(|width| width + GAP).sum::<usize>();
    let rows = placed.iter().map(|place| place.row + 1).max().unwrap_or(1);
    let (width, height) = (left(widths.len()).saturating_sub(GAP) + 2, rows * ROW - (ROW - HEIGHT) + 2);
    let mut svg = format!(
        "<svg class=\"tree\" width=\"{width}\" height=\"{height}\" viewBox=\"-1 -1 {width} {height}\" role=\"group\" aria-label=\"State variables of {}\">\n",
        text(root)
    );
    for place in &placed {
        if let Some(above) = place.above.and_then(|above| placed.get(above)) {
            let from =
                (left(above.depth) + widths.get(above.depth).unwrap_or(&0), above.row * ROW + HEIGHT / 2);
            let to = (left(place.depth), place.row * ROW + HEIGHT / 2);
            let middle = to.0 - GAP / 2;
            writeln!(svg, "<path class=\"edge\" d=\"M{} {}H{middle}V{}H{}\"/>", from.0, from.1, to.1, to.0)
                .ok();
        }
    }
    for place in &placed {
        let at = (left(place.depth), place.row * ROW);
        let width = widths.get(place.depth).copied().unwrap_or_default();
        svg.push_str(&drawn(root, number_of_root, place, at, width));
    }
    svg + "</svg>\n"
}

/// Gives rows: the first node below another stands in its row.
fn place<'a>(
    node: &'a Node,
    (depth, above): (usize, Option<usize>),
    deepest: usize,
    row: &mut usize,
    placed: &mut Vec<Placed<'a>>,
) {
    let me = placed.len();
    let hidden = if depth >= deepest { node.size() } else { 0 };
    placed.push(Placed { node, depth, row: *row, above, hidden });
    if depth >= deepest {
        return;
    }
    for (at, below) in node.below.iter().enumerate() {
        *row += usize::from(at > 0);
        place(below, (depth + 1, Some(me)), deepest, row, placed);
    }
}

fn widths(root: &str, placed: &[Placed<'_>]) -> Vec<usize> {
    let mut widths: Vec<usize> = vec![];
    for place in placed {
        let name = if place.depth == 0 { root } else { &place.node.name };
        let letters = name.chars().count().min(LETTERS);
        let second = second_line(place).chars().count();
        // The second line is set smaller.
        let needed = [letters as f64 * LETTER, second as f64 * 6.0].into_iter().fold(0.0, f64::max) + 20.0;
        if widths.len() <= place.depth {
            widths.resize(place.depth + 1, 0);
        }
        if let Some(width) = widths.get_mut(place.depth) {
            *width = (*width).max(needed as usize);
        }
    }
    widths
}

fn second_line(place: &Placed<'_>) -> String {
    let node = place.node;
    let hidden =
        if place.hidden > 0 { format!(" · +{} below", number(place.hidden)) } else { String::new() };
    match (place.depth, node.variable) {
        (0, _) => counted(node.size(), "place", "places"),
        (_, Some(_)) => format!("{} def · {} use{hidden}", number(node.definitions), number(node.uses)),
        (_, None) => format!("on the way{hidden}"),
    }
}

/// One node: a link to the row of its variable, where it is one.
fn drawn(
    root: &str,
    number_of_root: usize,
    place: &Placed<'_>,
    (x, y): (usize, usize),
    width: usize,
) -> String {
    let node = place.node;
    let name = if place.depth == 0 { root } else { &node.name };
    let mut shown: String = name.chars().take(LETTERS).collect();
    if name.chars().count() > LETTERS {
        shown.pop();
        shown.push('…');
    }
    let title = match &node.declared {
        Some(class) => format!("{name}, declared by {class}"),
        None if place.depth == 0 => name.to_owned(),
        None => "the elements of an array or container".to_owned(),
    };
    let state = match (node.variable, node.count.open, node.count.covered) {
        (None, ..) => "way",
        (_, 0, 0) => "none",
        (_, 0, _) => "done",
        _ => "some",
    };
    let state = if place.depth == 0 { "root" } else { state };
    let mut svg = format!(
        "<g class=\"node {state}\" transform=\"translate({x} {y})\"><title>{}: {} executed, {} open</title>\
         <rect class=\"box\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"6\"/><text x=\"10\" y=\"17\">{}</text>\
         <text class=\"small\" x=\"10\" y=\"31\">{}</text>",
        text(&title),
        number(node.count.covered),
        number(node.count.open),
        text(&shown),
        text(&second_line(place))
    );
    if node.count.total() > 0 {
        let inner = width - 12;
        let done = inner * percent(node.count.covered, node.count.total()) / 100;
        write!(
            svg,
            "<rect class=\"open\" x=\"6\" y=\"{0}\" width=\"{inner}\" height=\"2\"/><rect class=\"covered\" x=\"6\" y=\"{0}\" width=\"{done}\" height=\"2\"/>",
            HEIGHT - 4
        )
        .ok();
    }
    svg.push_str("</g>");
    match node.variable {
        Some(at) => format!("<a href=\"#v{number_of_root}-{at}\">{svg}</a>\n"),
        None => svg + "\n",
    }
}
